"""In-context learning and scale: linear attention of rank r, and parity with m heads.

Thesis of Shi, Chapter 5 and Appendix D. Modules: `regression` (size = rank), `noise` (what label
noise and flips do to it), `quadrature` (exact means over prompts), `parity` and `certified` (size =
heads), `attention` and `gpt` (trained models), `prompts` and `scoring` (a real language model),
`printed`; `facts` (both sides of identities), `checks` (every claim), modules of pictures.
"""
