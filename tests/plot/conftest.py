import matplotlib as mpl

mpl.use("Agg")
