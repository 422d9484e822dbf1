"""The report of a model: its quality, calibration, decisions and drivers, summarised once and rendered in several
ways."""

from suffice.report.page import page
from suffice.report.pictures import Pictures, pictures
from suffice.report.subject import Subject
from suffice.report.summarise import summarise
from suffice.report.summary import Summary

__all__ = ["Pictures", "Subject", "Summary", "page", "pictures", "summarise"]
