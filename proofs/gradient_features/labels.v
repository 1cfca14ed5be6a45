(* claim: gradient_features-labels
   digest: d1ce3a5676e02ee1

   Thesis, Theorem 3.12, (3.13), first inequality, with Assumption 3.1, which asks |y| <= 1:
     Pr[sign(g(x)) <> y] <= L_D(g) = E l(y g(x)).

   Read for a loss that meets Assumption 3.1 (the hinge loss, with |l'(0)| = 1), labels in
   [-1, 1], and any network g; a distribution with finitely many atoms is enough, so x ranges over
   0, ..., n - 1. The theorem says it of the network that training ends with, which is not
   formalised; a second theorem shows that it makes no difference: with all labels 1/2 the error of
   every network is 1, and so the inequality fails wherever the loss is below 1. The instance has one
   atom, with y = 1/2 and g = 2. The applications in the thesis all have labels 1 and -1, for which
   labels_corrected.v proves the inequality. *)
From Coq Require Import Reals QArith Qreals Lra Lia.
From Proofs.common Require Import sums losses.
Open Scope R_scope.

Definition printed : Prop :=
  forall (l : R -> R) (n : nat) (prob y g : nat -> R),
    assumption_3_1 l ->
    distribution n prob ->
    (forall x, (x < n)%nat -> Rabs (y x) <= 1) ->
    error n prob y g <= risk l n prob y g.

(* instance: labels.json *)
Definition label : Q := ((1) # 2)%Q.
Definition output : Q := ((2) # 1)%Q.
(* end of instance *)

Theorem refuted : ~ printed.
Proof.
  intros H.
  specialize (H hinge 1%nat (fun _ => 1) (fun _ => Q2R label) (fun _ => Q2R output) hinge_meets_it).
  unfold distribution, error, risk, hinge, sign, label, output, Q2R in H. cbn in H.
  assert (D : (forall x, (x < 1)%nat -> 0 <= 1) /\ 0 + 1 = 1) by (split; intros; lra).
  assert (Y : forall x, (x < 1)%nat -> Rabs (1 * / 2) <= 1) by (intros; rewrite Rabs_right; lra).
  specialize (H D Y). revert H.
  destruct (Rlt_dec 0 (2 * / 1)) as [_|N]; [|lra].
  destruct (Req_EM_T 1 (1 * / 2)) as [E|_]; [lra|].
  unfold Rmax. destruct Rle_dec; lra.
Qed.

Theorem every_network_errs :
  forall (n : nat) (prob g : nat -> R),
    distribution n prob -> error n prob (fun _ => Q2R label) g = 1.
Proof.
  intros n prob g [_ H]. rewrite <- H. apply sum_ext. intros x _.
  unfold label, Q2R. cbn [Qnum Qden]. unfold sign.
  destruct (Req_EM_T _ _) as [E|]; [exfalso|ring].
  revert E. repeat destruct Rlt_dec; lra.
Qed.
