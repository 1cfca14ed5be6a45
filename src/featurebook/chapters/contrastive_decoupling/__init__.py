"""Wen and Li (2021): how contrastive learning learns sparse features, and why it needs a mask.

Modules: `model` (data, mask, network, training), `measures` (what was learnt), `theory` (closed
forms and bounds), `gradients` (pushes measured, part by part), `photographs` (the same network on
image patches), `deep` (deep networks).
"""
