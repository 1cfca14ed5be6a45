(* claim: nuclear_norm-no-optimum
   digest: fe2cd18311c44bf5

   Thesis, Lemma 6.2: for every R_rank in R with |R_rank| = B_rank the problem (6.5),
     min L(w) subject to |w|_0 <= B_rank,   L(w) = E ln(1 + exp(-<w, z>)),
   has an optimum w* with w*_j > 0 on R_rank and w*_j = 0 elsewhere. In the model of Section 6.4,
   z_j is in (0, 1] for invariant features j in R, but for an event of probability 0, and in [-1, 1]
   for the others.

   No weights are such an optimum, whatever the data of this kind, if R_rank has a feature: 2 w* has
   as many features and a smaller loss. The law of z enters by its support and by one property of
   the mean E: if one network has a smaller loss than another at every point of the support, its
   mean loss is smaller. Every law on the support has it, as these losses are continuous and bounded
   there. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums.
Open Scope R_scope.

(* z for invariant features, invariant j, and the others *)
Definition support (d : nat) (invariant : nat -> bool) (z : nat -> R) : Prop :=
  forall j, (j < d)%nat -> if invariant j then 0 < z j <= 1 else -1 <= z j <= 1.

Definition margin (d : nat) (w z : nat -> R) : R := sum d (fun j => w j * z j).
Definition logistic (d : nat) (w z : nat -> R) : R := ln (1 + exp (- margin d w z)).
Definition loss (d : nat) (E : ((nat -> R) -> R) -> R) (w : nat -> R) : R := E (logistic d w).

Definition increasing (d : nat) (invariant : nat -> bool) (E : ((nat -> R) -> R) -> R) : Prop :=
  forall w v, (forall z, support d invariant z -> logistic d w z < logistic d v z) ->
  loss d E w < loss d E v.

(* |w|_0 *)
Fixpoint nonzeros (d : nat) (w : nat -> R) : nat :=
  match d with
  | O => O
  | S m => (nonzeros m w + if Req_EM_T (w m) 0 then 0 else 1)%nat
  end.

Definition optimal (d B : nat) (E : ((nat -> R) -> R) -> R) (w : nat -> R) : Prop :=
  (nonzeros d w <= B)%nat /\ forall v, (nonzeros d v <= B)%nat -> loss d E w <= loss d E v.

Definition statement : Prop :=
  ~ exists (d B : nat) (invariant R_rank : nat -> bool) (E : ((nat -> R) -> R) -> R) (w : nat -> R),
    increasing d invariant E /\
    (forall j, R_rank j = true -> invariant j = true) /\
    (exists j, (j < d)%nat /\ R_rank j = true) /\
    (forall j, (j < d)%nat -> if R_rank j then 0 < w j else w j = 0) /\
    optimal d B E w.

Lemma nonzeros_double d w : nonzeros d (fun j => 2 * w j) = nonzeros d w.
Proof.
  induction d as [|d IH]; [reflexivity|]. simpl. rewrite IH.
  destruct (Req_EM_T (2 * w d) 0), (Req_EM_T (w d) 0); try lia; exfalso; lra.
Qed.

Lemma margin_double d w z : margin d (fun j => 2 * w j) z = 2 * margin d w z.
Proof. unfold margin. rewrite <- sum_scal. apply sum_ext. intros; ring. Qed.

(* The margin of such a w is positive on the support. *)
Lemma margin_positive d invariant R_rank w z :
  support d invariant z ->
  (forall j, R_rank j = true -> invariant j = true) ->
  (exists j, (j < d)%nat /\ R_rank j = true) ->
  (forall j, (j < d)%nat -> if R_rank j then 0 < w j else w j = 0) ->
  0 < margin d w z.
Proof.
  intros Hz Hi [j [Hj Hr]] Hw.
  assert (T : forall i, (i < d)%nat -> 0 <= w i * z i).
  { intros i Hd. specialize (Hw i Hd). specialize (Hz i Hd). specialize (Hi i).
    destruct (R_rank i); [rewrite Hi in Hz by reflexivity; nra|rewrite Hw; lra]. }
  apply (Rlt_le_trans _ (w j * z j)).
  - specialize (Hw j Hj). specialize (Hz j Hj). rewrite Hr in Hw. rewrite Hi in Hz by assumption. nra.
  - unfold margin.
    replace (w j * z j) with (sum d (fun i => if Nat.eqb i j then w i * z i else 0)).
    + apply sum_le. intros i Hd. destruct (Nat.eqb i j); [lra|auto].
    + rewrite (sum_single d j); [rewrite Nat.eqb_refl; reflexivity|assumption|].
      intros p _ Hp. destruct (Nat.eqb_spec p j); [contradiction|reflexivity].
Qed.

Theorem proved : statement.
Proof.
  intros (d & B & invariant & R_rank & E & w & HE & Hi & Hr & Hw & [HB Ho]).
  assert (L : loss d E (fun j => 2 * w j) < loss d E w).
  { apply HE. intros z Hz. pose proof (margin_positive d invariant R_rank w z Hz Hi Hr Hw) as M.
    pose proof (exp_pos (- margin d (fun j => 2 * w j) z)). unfold logistic.
    apply ln_increasing; [lra|]. apply Rplus_lt_compat_l, exp_increasing.
    rewrite margin_double. lra. }
  specialize (Ho (fun j => 2 * w j)). rewrite nonzeros_double in Ho. specialize (Ho HB). lra.
Qed.
