"""Published accuracies on the official splits of document sets, with their sources, for comparison.

The splits are the same (20 newsgroups by date: 11,314 / 7,532; R8: 5,485 / 2,189; BANKING77: 10,003 / 3,080); how documents
were cleaned differs from paper to paper.
"""

from typing import NamedTuple


class Published(NamedTuple):
    model: str
    accuracy: float
    source: str


YAO = "Yao, Mao, Luo: Graph Convolutional Networks for Text Classification, AAAI 2019, table 2"
GALKE = "Galke, Scherp: Bag-of-Words vs. Graph vs. Sequence in Text Classification, ACL 2022"
LIN = "Lin et al.: BertGCN: Transductive Text Classification by Combining GCN and BERT, Findings of ACL 2021"
CASANUEVA = "Casanueva et al.: Efficient Intent Detection with Dual Sentence Encoders, NLP4ConvAI 2020, table 3"

PUBLISHED = {
    "newsgroups20": (
        Published("fastText", 0.7938, YAO),
        Published("logistic regression, TF-IDF", 0.8319, YAO),
        Published("wide MLP, TF-IDF", 0.8420, GALKE),
        Published("Text GCN (transductive)", 0.8634, YAO),
        Published("RoBERTaGCN (transductive)", 0.895, LIN),
    ),
    "reuters8": (
        Published("logistic regression, TF-IDF", 0.9374, YAO),
        Published("fastText", 0.9613, YAO),
        Published("Text GCN (transductive)", 0.9707, YAO),
        Published("wide MLP, bag of words", 0.9727, GALKE),
        Published("RoBERTaGCN (transductive)", 0.982, LIN),
    ),
    "banking77": (
        Published("USE + ConveRT, pretrained", 0.9336, CASANUEVA),
        Published("BERT, fine-tuned", 0.9366, CASANUEVA),
    ),
}
