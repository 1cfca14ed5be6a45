(* claim: icl_scale-theorem-5-5-1
   digest: 11c39617f513de9a

   Thesis, Theorem 5.5.1: for d = 2^nu and m = 2 (nu + 1) heads the optimal network g_2* has, for
   i = 1, ..., nu, the heads a = -1 with V = diag of (2 digit(p, i) - 1) / (4 gamma), and one head
   a = 1 with V = -nu / (4 gamma) I, each together with its opposite -V.

   "Optimal" is the argmin of lim_{lambda -> 0+} of the hinge loss plus lambda times the cost
   sum |W|_F^2. The printed network has loss 0, so it would be the cheapest network of m heads with
   loss 0. (At lambda = 0 itself every network with loss 0 is a minimiser, and nothing would be
   claimed.) The condition on p_T makes all tasks possible, which zero_loss asks for.

   Only this half of the theorem is formalised, not that on g_1*: one false half refutes it. Nor is
   it asked that g_2* be the only optimum, or that it have loss 0; without either the statement is
   weaker, and its negation stronger.

   The instance has d = 4 and m = 6: its cost, in units of 1/(4 gamma^2), is 269/36 and not 12. *)
From Coq Require Import Reals List ZArith Lra Lia.
From Proofs.common Require Import sums parity_heads.
Import ListNotations.
Open Scope R_scope.

(* digit(bin(p), i) for the feature p = 0, ..., d - 1 and i = 0, ..., nu - 1 *)
Definition digit (p i : nat) : R := if Nat.testbit p i then 1 else 0.

Definition pair (a : R) (V : nat -> nat -> R) : network :=
  [Head a V; Head a (fun i p => - V i p)].

Definition g_2_star (nu : nat) (gamma : R) : network :=
  flat_map (fun i => pair (-1) (fun p q =>
    if Nat.eqb p q then (2 * digit p i - 1) / (4 * gamma) else 0))
    (seq 0 nu)
  ++ pair 1 (fun p q => if Nat.eqb p q then - INR nu / (4 * gamma) else 0).

Definition printed : Prop :=
  forall (nu : nat) (gamma : R) (g : network),
    (1 <= nu)%nat -> 0 < gamma < 1 / 4 ->
    length g = (2 * (nu + 1))%nat -> admissible g -> zero_loss (2 ^ nu) gamma g ->
    cost (2 ^ nu) (g_2_star nu gamma) <= cost (2 ^ nu) g.

(* instance: theorem_5_5_1.json *)
Definition nu : Z := 2%Z.
Definition negative : list (list Z) := [[9%Z; 7%Z; (-5)%Z; (-11)%Z]; [9%Z; (-13)%Z; (-1)%Z; 5%Z]; [(-9)%Z; 1%Z; 13%Z; (-5)%Z]; [(-9)%Z; 5%Z; (-7)%Z; 11%Z]].
Definition denominator : Z := 24%Z.
Definition positive : list Z := [20%Z; (-20)%Z].
(* end of instance *)

Definition entry (row : list Z) (p : nat) : R := IZR (nth p row 0%Z) / IZR denominator.

Definition rival (gamma : R) : network :=
  map (fun row => Head (-1) (diagonal gamma (entry row))) negative
  ++ map (fun c => Head 1 (diagonal gamma (fun _ => IZR c / IZR denominator))) positive.

Lemma rival_solves_all_tasks : zero_loss 4 (1 / 8) (rival (1 / 8)).
Proof.
  intros i j phi Hi Hj Hij Hphi. apply hinge_zero.
  unfold output, rival, negative, positive. cbn [map app total fold_right weight].
  rewrite !pre_diagonal by (try lra; assumption).
  pose proof (Hphi i Hi) as Si. pose proof (Hphi j Hj) as Sj.
  set (s := phi i) in *. set (t := phi j) in *. clearbody s t. clear Hphi.
  unfold entry, denominator, relu.
  destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|[|j]]]]; try lia;
    destruct Si as [-> | ->]; destruct Sj as [-> | ->]; cbn [nth];
    unfold Rmax; repeat destruct Rle_dec; lra.
Qed.

Lemma costs : cost 4 (rival (1 / 8)) < cost 4 (g_2_star 2 (1 / 8)).
Proof.
  unfold cost, rival, g_2_star, negative, positive.
  cbn [map app flat_map pair seq total fold_right sum matrix].
  unfold diagonal, entry, denominator, digit, Rsqr. cbn [Nat.eqb Nat.testbit nth].
  simpl. lra.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H. specialize (H (Z.to_nat nu) (1 / 8) (rival (1 / 8))).
  change (Z.to_nat nu) with 2%nat in H. change (2 ^ 2)%nat with 4%nat in H.
  assert (A : admissible (rival (1 / 8))) by (repeat constructor; cbn; lra).
  specialize (H ltac:(lia) ltac:(lra) eq_refl A rival_solves_all_tasks).
  pose proof costs. lra.
Qed.
