(* claim: icl_scale-head-count
   digest: 812d07bcd4c3cec3

   The networks for sparse parities need 2 (nu_2 + 1) heads: thesis, Appendix D.3.1,
   proof of Theorem 5.5.1: "the minimum number of neurons to cover all patterns in (I) and (II)
   is 2 (nu_2 + 1)", and "to have zero loss, we need all patterns to be covered".

   Read as: with d = 2^nu features, a network of that section whose hinge loss is 0 on all tasks
   has at least 2 (nu + 1) heads. With nu = 0 there is one feature and no task, so nu is at least
   1. The instance has d = 4 and four heads instead of six. *)
From Coq Require Import Reals List ZArith Lra Lia.
From Proofs.common Require Import sums parity_heads.
Import ListNotations.
Open Scope R_scope.

Definition printed : Prop :=
  forall (nu : nat) (gamma : R) (g : network),
    (1 <= nu)%nat -> 0 < gamma < 1 / 4 ->
    admissible g ->
    zero_loss (2 ^ nu) gamma g ->
    (2 * (nu + 1) <= length g)%nat.

(* instance: head_count.json *)
Definition nu : Z := 2%Z.
Definition twice_ladder : list Z := [(-3)%Z; (-1)%Z; 1%Z; 3%Z].
Definition twice_level : Z := 3%Z.
(* end of instance *)

Definition ladder (p : nat) : R := IZR (nth p twice_ladder 0%Z) / 2.
Definition level (_ : nat) : R := IZR twice_level / 2.
Definition minus (b : nat -> R) (p : nat) : R := - b p.

Definition four_heads (gamma : R) : network :=
  [ Head (-1) (diagonal gamma ladder); Head (-1) (diagonal gamma (minus ladder));
    Head 1 (diagonal gamma level); Head 1 (diagonal gamma (minus level)) ].

Lemma four_heads_solve_all_tasks : zero_loss (2 ^ Z.to_nat nu) (1 / 8) (four_heads (1 / 8)).
Proof.
  intros i j phi Hi Hj Hij Hphi. apply hinge_zero.
  unfold output, four_heads. cbn [map total fold_right weight].
  rewrite !pre_diagonal by (try lra; assumption).
  change (2 ^ Z.to_nat nu)%nat with 4%nat in *.
  pose proof (Hphi i Hi) as Si. pose proof (Hphi j Hj) as Sj.
  set (s := phi i) in *. set (t := phi j) in *. clearbody s t. clear Hphi.
  unfold minus, ladder, level, twice_ladder, twice_level, relu.
  destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|[|j]]]]; try lia;
    destruct Si as [-> | ->]; destruct Sj as [-> | ->]; cbn [nth];
    unfold Rmax; repeat destruct Rle_dec; lra.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H. specialize (H (Z.to_nat nu) (1 / 8) (four_heads (1 / 8))).
  assert (Hg : 0 < 1 / 8 < 1 / 4) by lra.
  assert (Ha : admissible (four_heads (1 / 8)))
    by (repeat constructor; cbn; lra).
  specialize (H ltac:(cbn; lia) Hg Ha four_heads_solve_all_tasks).
  cbn in H. lia.
Qed.
