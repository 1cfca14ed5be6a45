# ---
# jupyter:
#   jupytext:
#     cell_markers: 'r"""'
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
r"""
# Experiments: the evidence in the tables

{cite:t}`shi_2024`, Section 7.3 and Appendix F.3, pre-trains ResNets and transformers on growing mixtures of image sets and probes them.
We cannot run anything of that size.
Instead we compare each sentence with the tables, cell by cell.
Most sentences are right; those that say "consistently" are true on average, but not of every number.
Two further chapters ask the same questions for small images: [what more data cost](images) and [the repair](repair).
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
confidence: float = 0.95  # of the intervals of the gains [0.5, 0.999]

# %%
import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import display

from featurebook import figures
from featurebook.papers.universality_tradeoff import checks, pictures, printed
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The trade-off in the tables

LP is a linear probe on frozen features, FT fine-tuning, "Ours" the thesis's fine-tuning with a contrastive term.

```{claim} The average rises, the target falls
:label: universality_tradeoff-figure-7-1
:number: Figure 7.1
:expected: stated
:place: Section 7.1
:needs: CINIC-10, SVHN, GTSRB and ImageNet32 (5 GB) and about 2 GPU hours for each network
:figure: universality_tradeoff-fig-counterpart
:printed_figure: universality_tradeoff-fig-printed

When MoCo v2 is trained on growing mixtures (CINIC-10, then SVHN, GTSRB, ImageNet32), the average accuracy over all four sets rises and that on CIFAR-10 falls.
```

```{claim} Accuracies quoted for Figure 7.1
:label: universality_tradeoff-text-7-1
:number: Text on Figure 7.1
:kind: remark
:expected: open
:place: Section 7.1
:rests_on: universality_tradeoff-figure-7-1
:found: 'Not judged: no table has the averages, and the tables give 75.64 where the text says 76.4, perhaps because it quotes another run.'

The average rises from 18.3 to 20.1%, CIFAR-10 falls from 88.5 to 76.4%.
```

No table gives the averages.
For CIFAR-10 the tables give 88.41 and 75.64, with a standard deviation of at most 0.03; perhaps the text refers to a different run.

```{claim} Target accuracy falls with diversity
:label: universality_tradeoff-target-falls
:number: Table F.5, LP
:expected: holds
:place: Section 7.3.1; Appendix F.3.4
:needs: CINIC-10, SVHN, GTSRB and ImageNet32 (5 GB) and about 2 GPU hours for each network
:found: All fifteen steps in the printed table go down, the smallest by 2.19 points; training such networks needs data we do not have.
:figure: universality_tradeoff-fig-counterpart
:printed_figure: universality_tradeoff-fig-printed

Linear probes on CIFAR-10 lose accuracy with every set added, at every share of labels (Table F.5, LP).
```

```{claim} Fewer labels, larger loss
:label: universality_tradeoff-fewer-labels
:number: Text on Figure F.2
:kind: remark
:expected: two readings
:place: Appendix F.3.2
:rests_on: universality_tradeoff-target-falls
:found: Counted in points the loss has no clear order; as a share of the accuracy it is larger at 1% of the labels than at 100%. The figure has no numbers.

The fewer the labels, the more significant the trade-off.
```

The thesis says this about the nine panels of Figure F.2, which have no numbers.
Table F.5 has the probes of one panel (the text quotes 80.63 at 1% for the figure too).
The table below gives the loss from the first mixture to the last.
In points there is no clear order.
As a share of the accuracy it is larger with 1% of the labels than with all of them, with no clear order in between.
And the errors grow *more* with more labels.
A curve of target against average might still be steeper, and Tables F.2 and F.3, for other networks and more labels, agree with the sentence.
So it is undecided.

```{claim} The effect of few labels
:label: universality_tradeoff-fewer-labels-corrected
:expected: holds
:found: 'Whether few labels matter depends on the measure: points hardly change, relative accuracy suffers more, and errors multiply less.'

In Table F.5 the loss is between 12.3 and 13.4 points at every share of labels, and the errors are multiplied by 1.64, 1.86, 1.89, 1.98 and 2.10.
In Tables F.2 and F.3, with 500 to 8,000 labels, the loss in points shrinks at every step.
```
"""

# %% tags=["hide-input"]
show.judge(study, "text-7-1", "target-falls", "fewer-labels", "fewer-labels-corrected")

# %%
study["lost_by_labels"].round(2).rename_axis("labels")

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-printed", "caption": "In the printed tables probes lose with every set added, fine-tuning hardly loses at full labels, and the contrastive term gains most where labels are few. CIFAR-10 accuracy from Table F.5 against the mixture, one panel for each share of labels; bars are standard deviations."}, "image": {"alt": "Three panels of falling lines. At one percent of labels the line of the thesis's method is highest and that of fine-tuning lowest; at all labels fine-tuning lies far above probing."}} tags=["hide-input"]
pictures.printed_accuracies()
plt.show()

# %% [markdown]
r"""
```{claim} The average is mostly ImageNet32
:label: universality_tradeoff-average-weights
:number: Weights of the average
:expected: stated
:place: Appendix F.3.2

The average over the four sets is weighted by the numbers of classes; 1,000 of its 1,063 parts are ImageNet32.
```

With these weights random guessing gives $\frac4{1063}$, whatever the sizes of the sets.
But a rise from 18.3 to 20.1 then mostly says that ImageNet32 was added: perfect accuracy on the three others is worth 5.9 points.
For the target MNIST it has 1,000 of 1,089 parts; for Fer2013 it has 1,000 of 1,715, and FaceScrub 695.

The eight accuracies behind 18.3 and 20.1 are not given, nor are those behind any other average, so we cannot recompute any.
But with these weights the two averages tell us much about one of the sets.

```{claim} Averages in terms of ImageNet32
:label: universality_tradeoff-average-inverted
:expected: holds
:rests_on: universality_tradeoff-average-weights, universality_tradeoff-text-7-1
:found: Simple bounds from the rounded averages; the accuracies behind them are printed nowhere, so we cannot check them directly.

If 18.3 and 20.1% are rounded, the accuracy on ImageNet32 is between 13.0 and 19.6% at first, and between 15.0 and 21.5% at the end.
Had it not changed, the three other sets would have gained 28 to 33 points on their weighted average.
```

*Proof.*
The others have accuracies between 0 and 100%, and 63 parts together; so ImageNet32 has between $\frac{1063a-6300}{1000}$ and $\frac{1063a}{1000}$ at the average $a$.
If it does not change, a rise of 1.8 takes $\frac{1063}{63}1.8$ points from the others.
$\square$

```{claim} An average that can be recomputed
:label: universality_tradeoff-average-recomputed
:expected: holds
:rests_on: universality_tradeoff-average-weights
:found: With the few labels of Table F.1, whether the average rises depends on how the two data sets are weighted.

In Table F.1 the average over the two rows, weighted by their 1,000 and 21,841 classes, rises from 12.09 to 12.83; the plain average falls from 44.04 to 43.76.
With all labels (Table F.4) both rise.
```

So whether universality improves in Table F.1 depends on the weights.
The thesis claims it for ImageNet22k only, and takes no average there.
"""

# %%
for average in printed.TEXT_AVERAGE:
    low, high = printed.behind_average(average)
    print(f"average {average} %: ImageNet32 between {low:.1f} and {high:.1f} %")
pd.DataFrame(
    study["classes_average"]["by class"].round(2),
    index=["F.1, few labels", "F.4, all labels"],
    columns=["ImageNet", "with GCC-15M"],
)

# %% tags=["hide-input"]
show.judge(study, "average-inverted", "average-recomputed")

# %% [markdown]
r"""
```{claim} The average rises
:label: universality_tradeoff-average-rises
:number: Results in Section 7.3.1
:kind: remark
:expected: two readings
:place: Section 7.3.1
:rests_on: universality_tradeoff-figure-7-3
:found: Not at every step, for the appendix itself reports a final fall in six of nine panels; from first to last it may be true, without printed numbers.

As the mixture grows the average accuracy on all sets increases.
```

Appendix F.3.2 names six of the nine panels of Figure F.2 ({prf:ref}`universality_tradeoff-figure-7-3`) in which the average falls at the end; so the sentence does not hold for every step.
But the appendix makes this exception itself.
In panel (a), one of the six, the average nevertheless rises from the first mixture to the last, if the text on Figure 7.1, with the same method and sets, is right: from 18.3 to 20.1%.

```{claim} Three of nine panels show no final fall
:label: universality_tradeoff-average-rises-corrected
:expected: holds
:found: Counted from the descriptions of the nine panels in the appendix.

In three of the nine panels, (c), (g) and (i), no final fall is reported.
```

```{claim} The target falls
:label: universality_tradeoff-target-decreases
:number: Results in Section 7.3.1, second half
:kind: remark
:expected: two readings
:place: Section 7.3.1
:rests_on: universality_tradeoff-figure-7-3
:found: Not at every step, since the appendix reports a first rise in two of nine panels; from the first to the last mixture it may well be true.

As the mixture grows the accuracy on the target decreases.
```

This is the second half of the same sentence, and is read in the same way.
The appendix names two panels, (g) and (h), both with the target Fer2013, in which the accuracy rises at first, and gives the reason: too little relevant data.
In all nine panels the accuracy falls later.
From the first mixture to the last both halves may be true; without the numbers behind the curves we cannot tell.
"""

# %% tags=["hide-input"]
show.judge(study, "average-rises", "target-decreases", "average-rises-corrected")

# %% [markdown]
r"""
```{claim} More data help one set and hurt another
:label: universality_tradeoff-table-f-1
:number: Table F.1
:expected: holds
:place: Appendix F.3.2
:needs: ImageNet22k (14 million images), GCC-15M (15 million images with text) and 500 epochs on them
:found: The printed numbers say so, the smaller of the two changes being 0.84 points; the runs themselves are out of our reach.

Adding GCC-15M to ImageNet lowers the accuracy on ImageNet with 2k labels, and raises it on ImageNet22k with 44k.
```

```{claim} Accuracies with all labels
:label: universality_tradeoff-table-f-4
:number: Table F.4
:expected: holds
:place: Appendix F.3.3
:needs: ImageNet22k (14 million images), GCC-15M (15 million images with text) and 500 epochs on them
:found: The printed numbers rise by at least 1.76 points, so with all labels the trade-off is not visible here.

With all labels both accuracies rise.
```

```{claim} Specific or universal
:label: universality_tradeoff-table-f-2
:number: Tables F.2 and F.3
:expected: holds
:place: Appendix F.3.3
:needs: ImageNet (150 GB), and networks pre-trained on all of it, on a tenth and on its birds and vehicles
:found: The two gaps match the printed numbers, and at 8,000 labels the difference is below 1.5 points in either direction, our reading of "similar".

With 500 labels the specific representation is better by 17.2 (Bird) and 4.0 points (Vehicle); with many labels "the prediction performance is similar".
```

```{claim} Little pre-training data
:label: universality_tradeoff-little-pretraining
:number: Tables F.2 and F.3, little data
:kind: remark
:expected: holds
:place: Appendix F.3.3
:rests_on: universality_tradeoff-table-f-2
:found: The network with 10% of ImageNet is worse in all twelve comparisons, by 19 points or more.

"The trade-off is hidden when a small amount of data from the specific task is used for pre-training": after 10% of ImageNet the results are "well inside the Pareto front".
```

We read the last sentence as: the network of 10% of ImageNet is worse than that of all of ImageNet on the target, at every number of labels, and on ImageNet, in both tables.
At 8,000 labels the universal one is *better* by 1.2 on Bird and worse by 1.0 on Vehicle.
We read "similar" as less than 1.5 points apart.
On all of ImageNet the universal one leads by more than 30.
"""

# %% tags=["hide-input"]
show.judge(study, "table-f-1", "table-f-4", "table-f-2", "little-pretraining")

# %% [markdown]
r"""
## Contrastive regularisation in the tables

The thesis calls its own method, fine-tuning with the contrastive term, *Ours* in its tables.
A gain is its accuracy minus that of FT at the same number of augmentations.
The printed $\pm$ are standard deviations over six evaluations.

```{claim} The repair against two baselines
:label: universality_tradeoff-table-7-1
:number: Table 7.1
:expected: holds
:place: Section 7.3.3
:needs: CINIC-10, SVHN, GTSRB and ImageNet32 (5 GB) and about 2 GPU hours for each network
:found: 'Read off the printed table: the method leads in all eight comparisons, and its gains over fine-tuning fit the quoted range after rounding.'
:figure: universality_tradeoff-fig-repair

The thesis's own method outperforms the other baselines, and FT by about 0.7 to 1%.
```

```{claim} Gains with larger models
:label: universality_tradeoff-table-7-2
:number: Table 7.2
:expected: holds
:place: Section 7.3.3
:needs: weights of CLIP, MoCo v3 and SimCSE (3 GB), ImageNet (150 GB), SVHN, GTSRB, IMDB, AG News and about 20 GPU hours
:found: All eight printed gains lie in the quoted range, and the two that are named match their cells.

The thesis's own method outperforms FT by about 0.4 to 4.8% for CLIP, MoCo v3 and SimCSE: 1.3% for CLIP on ImageNet, 4.8% for MoCo v3 on GTSRB.
```

```{claim} The gains exceed their spread
:label: universality_tradeoff-gain-intervals
:expected: holds
:rests_on: universality_tradeoff-table-7-1, universality_tradeoff-table-7-2
:found: Even the weakest of the twelve gains keeps clear of zero, though the spreads come from only two pre-training runs.

All twelve gains of Tables 7.1 and 7.2 have a Welch interval above 0.
```

We treat the six evaluations as independent, although two pre-training runs with three probes each are not quite independent.

```{claim} The largest of each column
:label: universality_tradeoff-bold
:number: Bold faces
:kind: table
:expected: holds
:place: Section 7.3.3; Appendix F.3.4
:no_experiment: marks in the printed tables
:found: We compared all 162 cells, and every bold number is the largest of its group.

Bold in Tables 7.1, F.5 and F.6 is the largest number of its column and block.
```
"""

# %%
study["printed_gains"]["7.1"][["column", "gain", "low", "high"]].round(2)

# %% tags=["hide-input"]
show.judge(study, "table-7-1", "table-7-2", "gain-intervals", "bold")

# %% [markdown]
r"""
```{claim} Consistently better
:label: universality_tradeoff-consistent
:number: Tables F.5 to F.8
:kind: remark
:expected: two readings
:place: Appendix F.3.4
:found: True on average in each of the four tables; in single comparisons it fails in four of 90, once in the table that the sentence describes.

The thesis's own method outperforms fine-tuning consistently, even at the same augmentation (Tables F.5 to F.8).
```

```{claim} Better in 86 of 90
:label: universality_tradeoff-consistent-corrected
:number: Tables F.5 to F.8, made precise
:expected: holds
:corrects: universality_tradeoff-consistent
:found: Counted cell by cell in the printed tables, so "nearly always" would have been exact.

The thesis's own method outperforms fine-tuning in all but four of the 90 comparisons at the same augmentation (Tables F.5 to F.8); in those four it loses at most 0.28 points.
```

```{claim} Better than the other baselines
:label: universality_tradeoff-baselines
:number: Table F.5, results
:kind: remark
:expected: holds
:place: Appendix F.3.4
:found: It is best in 18 of the 20 cells, which is how we read "can"; the table itself marks the other two in bold.

In Table F.5 the thesis's own method "can achieve better performance than the other baselines".
```

```{claim} Better in 18 of 20
:label: universality_tradeoff-baselines-corrected
:expected: holds
:found: Both exceptions occur with 5% of the labels, at the two ends of the range of mixtures.

In Table F.5 the thesis's own method is better than the other baselines in 18 of the 20 cells; at 5% of labels LP is better after CINIC-10 alone, and FT after all four sets.
```

"Consistently" has two readings: in every comparison, which is false, or overall, in the mean of each table, which is true.
We read "can" as "in most cells": the thesis sets LP and FT in bold in the two others, and so does not mean all.
"""

# %%
gains = pd.concat({name: study["printed_gains"][name] for name in checks.gains.SAME_AUGMENTATION})
gains[gains.gain <= 0][["row", "aug", "column", "gain"]].droplevel(1)

# %% tags=["hide-input"]
show.judge(study, "consistent", "consistent-corrected", "baselines", "baselines-corrected")

# %% [markdown]
r"""
```{claim} Fine-tuning falls too
:label: universality_tradeoff-ft-drops
:number: Table F.5, FT
:kind: remark
:expected: two readings
:place: Appendix F.3.4
:found: True from the first mixture to the last at every share of labels; not at every step, since three of fifteen go up, one by 2.61 points.

FT accuracy drops when the pre-training data are more diverse (Table F.5).
```

```{claim} Fine-tuning falls on the whole
:label: universality_tradeoff-ft-drops-corrected
:expected: holds
:found: Counted from the printed table; fine-tuning is much less affected than a linear probe.

FT accuracy in Table F.5 drops from the first to the last mixture at each share of labels, by 0.66 to 3.34 points, but rises in three of the 15 steps in between.
```

So the sentence is true for the first and last mixture, but not for every step.
We read it like the two halves above.
"""

# %% tags=["hide-input"]
show.judge(study, "ft-drops", "ft-drops-corrected")

# %% [markdown]
r"""
```{claim} Before a linear probe
:label: universality_tradeoff-table-f-9
:number: Table F.9
:expected: two readings
:place: Appendix F.3.4
:needs: CINIC-10, SVHN, GTSRB and ImageNet32 (5 GB) and about 2 GPU hours for each network
:found: On the whole the table shows clear gains; in one of its four columns the accuracy falls, by a mere 0.03 points.

Contrastive regularisation before a linear probe leads to better accuracy.
```

```{claim} On the three mixtures
:label: universality_tradeoff-table-f-9-corrected
:number: Table F.9, made precise
:expected: holds
:corrects: universality_tradeoff-table-f-9
:found: Counted from the printed table; the single loss is 0.03 points, after the mixture that is closest to the target.

Contrastive regularisation before a linear probe leads to better accuracy after the three mixtures of Table F.9; after CINIC-10 alone the accuracy goes from 88.41 to 88.38.
```

The text adds that the improvement is more significant on diverse data, and may well mean the table as a whole: there the sentence is true.
Read as a statement about each of the four columns it is false, by 0.03 points in one of them.

```{claim} More gain on diverse data
:label: universality_tradeoff-table-f-9-diverse
:number: Text on Table F.9
:kind: remark
:expected: holds
:place: Appendix F.3.4
:found: Each gain in the printed table exceeds the one before, up to almost seven points for the most diverse mixture.

The gain grows with the diversity of the mixture: $-0.03$, 1.73, 3.88, 6.79.
```

```{claim} The gap closes
:label: universality_tradeoff-table-f-10
:number: Tables F.10 and F.11
:expected: holds
:place: Appendix F.3.4
:needs: ImageNet (150 GB) and about 500 GPU hours
:found: 'The printed gaps shrink on both targets: on Bird by a third, and on Vehicle the order is even reversed.'

Contrastive regularisation on the target reduces the gap between general and specific pre-training.
```

It closes 32% of the gap on Bird and 114% on Vehicle, where it overshoots.

```{claim} Weight decay
:label: universality_tradeoff-weight-decay
:number: Text on Figure F.4
:kind: remark
:expected: stated
:place: Appendix F.3.3
:rests_on: universality_tradeoff-theorem-7-2-2

That CKA falls as weight decay grows supports Theorem 7.2 (Figure F.4).
```

We do not judge this: weight decay is not the norm $B_r$ of {prf:ref}`universality_tradeoff-theorem-7-2-2`, and CKA does not say what is encoded.

```{claim} Less of the relevant data
:label: universality_tradeoff-half-cinic
:number: Text on Figure F.6
:kind: remark
:expected: open
:place: Appendix F.3.3
:found: The first number agrees with Table F.5, but 76.45 appears in no table, so the fall itself cannot be checked.

With half of CINIC-10 the accuracy at 1% of labels falls from 80.63 to 76.45 (Figure F.6).
```

The first number agrees with Table F.5; the second appears only in a figure, so we do not judge the fall.

```{claim} Two wrong references
:label: universality_tradeoff-misprints
:number: Misprints of Appendix F.3
:expected: stated
:place: Appendix F.3.2 and F.3.4

"FaceScrub (I)" is printed for (F), and "Equation (9)" for (7.9).
```

We do not judge these: there is nothing to compute.
Nor do we judge that EMNIST-Letters has "lowercase characters" (Appendix F.3.1); as far as we know its 26 classes merge both cases.
"""

# %% tags=["hide-input"]
show.judge(
    study,
    "table-f-9",
    "table-f-9-corrected",
    "table-f-9-diverse",
    "table-f-10",
    "half-cinic",
)

# %% [markdown]
r"""
## The printed tables

All numbers with their $\pm$, as printed; we have none of our own to put beside them.
"""

# %%
for name in ("7.1", "7.2", "F.2", "F.3", "F.4"):
    print(f"Table {name}")
    display(printed.as_printed(name))

# %%
for name in ("F.5", "F.6", "F.7", "F.8", "F.9", "F.10", "F.11"):
    print(f"Table {name}")
    display(printed.as_printed(name))

# %% [markdown]
r"""
## Figures without numbers

We state what these figures show, but do not judge it; the [counterpart on small images](images) repeats some of it.

```{claim} Three sequences of sets
:label: universality_tradeoff-figure-7-3
:number: Figures 7.3, F.2 and F.9 to F.13
:expected: stated
:place: Section 7.3.1; Appendix F.3.5
:needs: CINIC-10, SVHN, GTSRB and ImageNet32 (5 GB), EMNIST, Fashion-MNIST, Fer2013, FaceScrub (141,130 images) and about 2 GPU hours for each network
:figure: universality_tradeoff-fig-counterpart

For three sequences of sets (targets CIFAR-10, MNIST, Fer2013) the average rises and the target falls; Figures F.9 to F.13 show it for three methods at 1 to 100% of labels, Figure F.2 as curves.
```

```{claim} The trade-off within ImageNet
:label: universality_tradeoff-figure-7-4
:number: Figure 7.4
:expected: stated
:place: Section 7.3.1
:needs: ImageNet (150 GB) and about 10 GPU hours for each network

On ImageNet, too, as the pre-training data grow from birds to everything, the average rises and the target falls, for MoCo v3 and SimSiam.
```

```{claim} CKA between sets
:label: universality_tradeoff-figure-7-5
:number: Figures 7.5 and F.3
:expected: stated
:place: Section 7.3.2
:needs: CINIC-10, SVHN, GTSRB and ImageNet32 (5 GB), EMNIST, Fashion-MNIST, Fer2013, FaceScrub (141,130 images) and about 2 GPU hours for each network
:figure: universality_tradeoff-fig-cka-single

Linear CKA on Fer2013 is low between sets and falls along the rows of growing mixtures; Figure F.3 shows it for all three sequences.
```

```{claim} The ablations
:label: universality_tradeoff-figure-f-5
:number: Figures F.4 to F.8
:expected: stated
:place: Appendix F.3.3 to F.3.5
:needs: CINIC-10, SVHN, GTSRB and ImageNet32 (5 GB) and about 2 GPU hours for each network

The ablations vary weight decay, the number of ImageNet32 classes at fixed size and the share of CINIC-10, and replace CINIC-10 by CIFAR-10; t-SNE pictures show features.
```

The text says about three of them individually, and about all:

```{claim} More classes at a fixed size
:label: universality_tradeoff-figure-f-5-classes
:number: Text on Figure F.5
:kind: remark
:expected: stated
:place: Appendix F.3.3
:rests_on: universality_tradeoff-figure-f-5

With a fixed number of pre-training images "the performance will drop on the downstream task" when there are more classes (Figure F.5).
```

```{claim} A share of CINIC-10
:label: universality_tradeoff-figure-f-6
:number: Text on Figure F.6, curves
:kind: remark
:expected: stated
:place: Appendix F.3.3
:rests_on: universality_tradeoff-figure-f-5

With 50% of CINIC-10 MoCo v2's curve decreases; with less, and with SimSiam, there is "a U-curve rather than a strictly decreasing curve" in panels (c), (e) and (f) of Figure F.6.
```

```{claim} CIFAR-10 for CINIC-10
:label: universality_tradeoff-figure-f-7
:number: Text on Figure F.7
:kind: remark
:expected: stated
:place: Appendix F.3.3
:rests_on: universality_tradeoff-figure-f-5

With CIFAR-10 in place of CINIC-10 there are "the same phenomena and similar performance" (Figure F.7).
```

```{claim} The ablations show the trade-off
:label: universality_tradeoff-ablations
:number: Text on the ablations
:kind: remark
:expected: stated
:place: Appendix F.3.3
:rests_on: universality_tradeoff-figure-f-5

"The results consistently show the trade-off", in all three ablations.
```

In the thesis the last sentence precedes the one on U-curves, which qualifies it.
None of these figures has numbers in our text.
"""

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: universality_tradeoff-exercise-class-weights

Adding ImageNet32 to the mixture raises its own accuracy by 2 points and costs each of the three other sets 20.
What happens to the average of the thesis, in which a set counts by its number of classes, 1,000 of 1,063 for ImageNet32?
The change, in points: {answer}`0.70 +- 0.01`
```

```{admonition} First hint
:class: hint dropdown

The three other sets have 63 classes together.
```

```{admonition} Second hint
:class: hint dropdown

$\frac{1000\cdot2-63\cdot20}{1063}$.
```

````{solution} universality_tradeoff-exercise-class-weights
:class: dropdown

It rises by 0.70 points, although three of four sets collapse; the plain average would fall by 14.5.
A rise of such an average is compatible with almost anything on the small sets, and universality across *sets* is not what it measures.
We cannot tell whether the averages 18.3 and 20.1 of the thesis hide anything of the kind, since the accuracies behind them are not printed ({prf:ref}`universality_tradeoff-average-inverted`).

```pycon
>>> import numpy as np
>>> from featurebook.papers.universality_tradeoff import printed
>>> change = {name: 2.0 if name == "ImageNet32" else -20.0 for name in printed.CLASSES}
>>> values = np.array(list(change.values()))
>>> classes = np.array(list(printed.CLASSES.values()))
>>> print(round(printed.weighted_average(values, classes), 3), values.mean())
0.696 -14.5
```
````

```{exercise}
:label: universality_tradeoff-exercise-which-loss

In Table F.5 probes fall from 80.63 to 68.26 with 1% of the labels, and from 88.41 to 75.64 with all.
Is the loss larger with few labels?
Show that two classifiers that lose equally many points always disagree about this in the other two measures, the share of the accuracy that is lost and the factor by which errors grow.
How many points would have to be lost at 1% for the errors to be multiplied by as much as they are with all labels?
The points: {answer}`21.3 +- 0.1`
```

```{admonition} First hint
:class: hint dropdown

From the accuracy $a$ let $\Delta$ be lost: write down both measures.
```

```{admonition} Second hint
:class: hint dropdown

$\frac\Delta a$ falls as $a$ grows; $1+\frac\Delta{1-a}$ rises.
With all labels the latter is $24.36/11.59=2.10$.
```

````{solution} universality_tradeoff-exercise-which-loss
:class: dropdown

At equal $\Delta$ the weaker classifier loses the larger share of its accuracy, and the better one multiplies its errors by more: opposite orders, by arithmetic alone.
$1.10\cdot19.37=21.3$ points would be needed, against the 12.4 of the table.
So "the fewer the labels, the more significant" has no truth value until a measure is named, and {prf:ref}`universality_tradeoff-fewer-labels` is undecided.

```pycon
>>> from featurebook.papers.universality_tradeoff import printed
>>> cells = printed.wide("F.5", "LP")
>>> lost = printed.lost(cells.iloc[0], cells.iloc[-1]).loc[["1%", "100%"]]
>>> print(lost.round(2).to_dict("list"))
{'points': [12.37, 12.77], 'per cent': [15.34, 14.44], 'errors times': [1.64, 2.1]}
>>> print(round((lost["errors times"]["100%"] - 1) * (100 - cells["1%"].iloc[0]), 1))
21.3
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("universality_tradeoff/experiments")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([])
