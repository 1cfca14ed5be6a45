(* claim: gemfilter-definition-9-1-corrected
   digest: c640b3feca133366

   Softmax(Q K^T / sqrt d + log M_c) V with log 0 = -infinity, that is with exp(log 0) = 0: the rows
   of the attention matrix sum to 1 and ignore later tokens. Proved for all n, d, Q, K and V. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums attention.
Open Scope R_scope.

(* exp(z + log M) = M exp(z) for M = 0 and 1, by the convention exp(-infinity) = 0 *)
Definition masked_softmax (n d : nat) (Q K : matrix) (i j : nat) : R :=
  mask i j * exp (score d Q K i j) / sum n (fun l => mask i l * exp (score d Q K i l)).

Definition corrected (n d : nat) (Q K V : matrix) (i c : nat) : R :=
  sum n (fun j => masked_softmax n d Q K i j * V j c).

Definition statement : Prop :=
  causal corrected /\
  forall n d Q K i, (i < n)%nat -> sum n (masked_softmax n d Q K i) = 1.

Lemma denominator_positive n d Q K i :
  (i < n)%nat -> 0 < sum n (fun l => mask i l * exp (score d Q K i l)).
Proof.
  intros Hi. apply (Rlt_le_trans _ (exp (score d Q K i i))); [apply exp_pos|].
  apply (Rle_trans _ (sum n (fun l => if Nat.eqb l i then exp (score d Q K i i) else 0))).
  - rewrite (sum_single n i); [rewrite Nat.eqb_refl; lra|assumption|].
    intros p _ Hp. destruct (Nat.eqb_spec p i); [congruence|reflexivity].
  - apply sum_le. intros p Hp. unfold mask. destruct (Nat.eqb_spec p i) as [->|N].
    + rewrite Nat.leb_refl. lra.
    + destruct (Nat.leb p i); pose proof (exp_pos (score d Q K i p)); lra.
Qed.

(* The score of an earlier key does not see later tokens. *)
Lemma same_score d Q K Q' K' i j :
  agree i Q Q' -> agree i K K' -> (j <= i)%nat -> score d Q K i j = score d Q' K' i j.
Proof.
  intros HQ HK Hj. unfold score. f_equal. apply sum_ext. intros c _.
  rewrite HQ, HK by lia. reflexivity.
Qed.

Lemma same_term d Q K Q' K' i j :
  agree i Q Q' -> agree i K K' ->
  mask i j * exp (score d Q K i j) = mask i j * exp (score d Q' K' i j).
Proof.
  intros HQ HK. unfold mask. destruct (Nat.leb_spec j i); [|lra].
  rewrite (same_score d Q K Q' K') by assumption. reflexivity.
Qed.

Theorem proved : statement.
Proof.
  split.
  - intros n d Q K V Q' K' V' i c _ Hi HQ HK HV. unfold corrected. apply sum_ext. intros j _.
    unfold masked_softmax.
    rewrite (same_term d Q K Q' K') by assumption.
    rewrite (sum_ext n _ (fun l => mask i l * exp (score d Q' K' i l)))
      by (intros; apply same_term; assumption).
    unfold mask at 1 3. destruct (Nat.leb_spec j i).
    + rewrite HV by assumption. reflexivity.
    + unfold Rdiv. ring.
  - intros n d Q K i Hi. pose proof (denominator_positive n d Q K i Hi) as P.
    unfold masked_softmax.
    rewrite (sum_ext n _ (fun j => / sum n (fun l => mask i l * exp (score d Q K i l))
      * (mask i j * exp (score d Q K i j)))) by (intros; unfold Rdiv; ring).
    rewrite sum_scal. field. lra.
Qed.
