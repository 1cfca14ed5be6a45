"""Wen and Li (2021): how contrastive learning learns sparse features, and why it needs a mask.

The theory's world: `model` (data, mask, network, training), `experiments` (recipes and runs),
`measures` (what was learnt), `theory` (closed forms and bounds), `gradients` (pushes measured, part
by part). Images: `photographs` (the same network on patches), `architectures`, `augmentations` and
`deep` (deep networks, their views, their training and what they have learnt).
"""

HEADINGS = {
    "a label an atom": "one label for each atom",
}
"""What heads and labels of tables say instead of names from code."""
