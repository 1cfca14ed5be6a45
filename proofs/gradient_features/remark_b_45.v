(* claim: gradient_features-remark-b-45
   digest: 28761a24c0c12c7f

   Thesis, Remark B.45, third item: E[y x] = 0 for the biased parities of Section 3.4.2.

   Read for r = 1, one block A of k bits (k odd), where y is the product of the bits of A and
   x = M phi with orthonormal M. The coordinate of E[y x] along M_l, l in A, is E[y phi_l]. On A the
   law X is (1 - 2 p_A) X_U + p_A (X_+ + X_-): with probability 1 - 2 p_A the k bits are fair, and
   with probability p_A each they are all +1 or all -1. (The bits outside A do not enter.)

   The negation says that E[y phi_l] is never 0 for odd k >= 3: it is 2 p_A. The thesis asks for
   p_A >= 1/d > 0. *)
From Coq Require Import Reals List Lra Lia.
Import ListNotations.
Open Scope R_scope.

(* The mean of F over k fair bits. *)
Fixpoint uniform (k : nat) (F : list R -> R) : R :=
  match k with
  | O => F []
  | S m => (uniform m (fun phi => F (1 :: phi)) + uniform m (fun phi => F (-1 :: phi))) / 2
  end.

(* E F(phi_A) *)
Definition mean (k : nat) (p_A : R) (F : list R -> R) : R :=
  (1 - 2 * p_A) * uniform k F + p_A * (F (repeat 1 k) + F (repeat (-1) k)).

Definition XOR (phi : list R) : R := fold_right Rmult 1 phi.

Definition printed : Prop :=
  exists (k : nat) (p_A : R) (l : nat),
    (exists h, k = 2 * h + 1)%nat /\ (3 <= k)%nat /\ (l < k)%nat /\ 0 < p_A /\ 2 * p_A <= 1 /\
    mean k p_A (fun phi => XOR phi * nth l phi 0) = 0.

Lemma uniform_ext k F G : (forall phi, F phi = G phi) -> uniform k F = uniform k G.
Proof.
  revert F G. induction k as [|k IH]; intros F G H; simpl; [apply H|].
  f_equal. f_equal; apply IH; intros; apply H.
Qed.

Lemma uniform_scal k c F : uniform k (fun phi => c * F phi) = c * uniform k F.
Proof.
  revert F. induction k as [|k IH]; intros F; simpl; [reflexivity|]. rewrite !IH. field.
Qed.

(* A product of fair bits has mean 0. *)
Lemma uniform_XOR k : (1 <= k)%nat -> uniform k XOR = 0.
Proof.
  destruct k as [|k]; intros H; [lia|]. cbn [uniform].
  rewrite (uniform_ext k (fun phi => XOR (1 :: phi)) (fun phi => 1 * XOR phi)),
    (uniform_ext k (fun phi => XOR (-1 :: phi)) (fun phi => -1 * XOR phi))
    by (intros; unfold XOR; simpl; ring).
  rewrite !uniform_scal. field.
Qed.

(* So has the product of all bits but one, if there are two or more. *)
Lemma uniform_part k l : (2 <= k)%nat -> (l < k)%nat ->
  uniform k (fun phi => XOR phi * nth l phi 0) = 0.
Proof.
  revert l. induction k as [|k IH]; intros l Hk Hl; [lia|]. cbn [uniform].
  destruct l as [|l].
  - rewrite (uniform_ext k (fun phi => XOR (1 :: phi) * nth 0 (1 :: phi) 0) (fun phi => 1 * XOR phi)),
      (uniform_ext k (fun phi => XOR (-1 :: phi) * nth 0 (-1 :: phi) 0) (fun phi => 1 * XOR phi))
      by (intros; unfold XOR; simpl; ring).
    rewrite !uniform_scal, uniform_XOR by lia. field.
  - rewrite (uniform_ext k (fun phi => XOR (1 :: phi) * nth (S l) (1 :: phi) 0)
        (fun phi => 1 * (XOR phi * nth l phi 0))),
      (uniform_ext k (fun phi => XOR (-1 :: phi) * nth (S l) (-1 :: phi) 0)
        (fun phi => -1 * (XOR phi * nth l phi 0)))
      by (intros; unfold XOR; simpl; ring).
    rewrite !uniform_scal. field.
Qed.

Lemma XOR_equal k s : XOR (repeat s k) = s ^ k.
Proof. induction k as [|k IH]; [reflexivity|]. unfold XOR in *. simpl. rewrite IH. reflexivity. Qed.

Lemma nth_equal k l s : (l < k)%nat -> nth l (repeat s k) 0 = s.
Proof. revert l. induction k as [|k IH]; intros [|l] H; simpl; try lia; auto. apply IH. lia. Qed.

Theorem value : forall k p_A l, (exists h, k = 2 * h + 1)%nat -> (3 <= k)%nat -> (l < k)%nat ->
  mean k p_A (fun phi => XOR phi * nth l phi 0) = 2 * p_A.
Proof.
  intros k p_A l [h Hh] Hk Hl. unfold mean.
  rewrite uniform_part, !XOR_equal, !nth_equal by lia.
  rewrite pow1. replace ((-1) ^ k) with (-1); [ring|].
  rewrite Hh, pow_add, pow_mult. replace ((-1) ^ 2) with 1 by ring. rewrite pow1. ring.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros (k & p & l & Hodd & Hk & Hl & P & _ & E).
  rewrite value in E by assumption. lra.
Qed.
