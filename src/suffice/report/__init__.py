"""What a model believes, how far it can be trusted and what its errors cost: summed up once, shown in many ways."""

from suffice.report.page import page
from suffice.report.pictures import Pictures, pictures
from suffice.report.subject import Subject
from suffice.report.summarise import summarise
from suffice.report.summary import Summary

__all__ = ["Pictures", "Subject", "Summary", "page", "pictures", "summarise"]
