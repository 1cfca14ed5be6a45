(* The linear looped transformer (thesis, Section 8.3.3) on prompts of Definition 8.5. *)
From Coq Require Import Reals Lra Lia Bool.
From Proofs.common Require Import sums.
Open Scope R_scope.

Definition matrix := nat -> nat -> R.

(* Z = [X y; q^T alpha], with rows 0, ..., n and columns 0, ..., d *)
Definition prompt (n d : nat) (X : matrix) (y q : nat -> R) (alpha : R) : matrix :=
  fun i j =>
    if Nat.ltb i n then (if Nat.ltb j d then X i j else y i)
    else (if Nat.ltb j d then q j else alpha).

(* M = [0 0; 1 0] *)
Definition mask (n : nat) (i l : nat) : R := if Nat.eqb i n && Nat.ltb l n then 1 else 0.

(* Q = I and P = diag(1, ..., 1, 0), of size d + 1 *)
Definition Q (_ : nat) (c e : nat) : R := if Nat.eqb c e then 1 else 0.
Definition P (d : nat) (c e : nat) : R := if Nat.eqb c e && Nat.ltb c d then 1 else 0.

(* (Z Q Z^T)_il *)
Definition scores (d : nat) (Z : matrix) (i l : nat) : R :=
  sum (S d) (fun c => sum (S d) (fun e => Z i c * Q d c e * Z l e)).

(* ((M o (Z Q Z^T)) Z P)_ij *)
Definition attention (n d : nat) (Z : matrix) (i j : nat) : R :=
  sum (S d) (fun c => sum (S n) (fun l => mask n i l * scores d Z i l * Z l c) * P d c j).

(* (v^T X^T X)_j *)
Definition gram (n d : nat) (X : matrix) (v : nat -> R) (j : nat) : R :=
  sum n (fun l => sum d (fun c => v c * X l c) * X l j).

(* Definition 8.7 *)
Definition loop (n d : nat) (eta : R) (Z : matrix) : matrix :=
  fun i j => Z i j - eta * attention n d Z i j.

Fixpoint loops (n d : nat) (eta : nat -> R) (Z : matrix) (t : nat) : matrix :=
  match t with
  | O => Z
  | S s => loop n d (eta s) (loops n d eta Z s)
  end.

Definition transformer (n d : nat) (eta : nat -> R) (Z : matrix) (T : nat) (j : nat) : R :=
  - loops n d eta Z T n j.

Lemma scores_without_Q d Z i l : scores d Z i l = sum (S d) (fun c => Z i c * Z l c).
Proof.
  unfold scores. apply sum_ext. intros c Hc. unfold Q.
  rewrite (sum_single (S d) c); [rewrite Nat.eqb_refl; ring|assumption|].
  intros e _ He. destruct (Nat.eqb_spec c e); [congruence|ring].
Qed.

Lemma attention_without_P n d Z i j :
  (j <= d)%nat -> attention n d Z i j =
  if Nat.ltb j d then sum (S n) (fun l => mask n i l * scores d Z i l * Z l j) else 0.
Proof.
  intros Hj. unfold attention, P.
  rewrite (sum_single (S d) j); [|lia|].
  - rewrite Nat.eqb_refl. destruct (Nat.ltb j d); simpl; ring.
  - intros c _ Hc. destruct (Nat.eqb_spec c j); [congruence|simpl; ring].
Qed.

(* Lemma 8.13, for any matrix whose first n rows are those of a prompt *)
Lemma attention_on_a_prompt : forall n d X y q alpha i j,
  (i <= n)%nat -> (j <= d)%nat ->
  attention n d (prompt n d X y q alpha) i j =
    if Nat.eqb i n && Nat.ltb j d
    then gram n d X q j + alpha * sum n (fun l => y l * X l j)
    else 0.
Proof.
  intros n d X y q alpha i j Hi Hj.
  rewrite attention_without_P by assumption.
  destruct (Nat.ltb_spec j d) as [Hjd|]; [|rewrite andb_false_r; reflexivity].
  rewrite andb_true_r. destruct (Nat.eqb_spec i n) as [->|Hin].
  - simpl. unfold mask at 2. rewrite Nat.ltb_irrefl, andb_false_r, Rmult_0_l, Rmult_0_l, Rplus_0_r.
    unfold gram. rewrite <- sum_scal, <- sum_plus. apply sum_ext. intros l Hl.
    unfold mask. rewrite Nat.eqb_refl. rewrite (proj2 (Nat.ltb_lt l n) Hl). simpl andb. cbv iota.
    rewrite scores_without_Q. simpl.
    unfold prompt. rewrite Nat.ltb_irrefl, (proj2 (Nat.ltb_lt l n) Hl), Nat.ltb_irrefl.
    rewrite (proj2 (Nat.ltb_lt j d) Hjd).
    rewrite (sum_ext d _ (fun c => q c * X l c))
      by (intros c Hc; rewrite (proj2 (Nat.ltb_lt c d) Hc); reflexivity).
    ring.
  - apply sum_zero. intros l _. unfold mask.
    destruct (Nat.eqb_spec i n); [contradiction|]. simpl. ring.
Qed.

Lemma attention_ext n d Z Z' i j :
  (i <= n)%nat -> (j <= d)%nat ->
  (forall a b, (a <= n)%nat -> (b <= d)%nat -> Z a b = Z' a b) ->
  attention n d Z i j = attention n d Z' i j.
Proof.
  intros Hi Hj H. rewrite !attention_without_P by assumption.
  destruct (Nat.ltb j d); [|reflexivity].
  apply sum_ext. intros l Hl. rewrite !scores_without_Q.
  rewrite (sum_ext (S d) _ (fun c => Z' i c * Z' l c)) by (intros; rewrite !H by lia; reflexivity).
  rewrite (H l j) by lia. reflexivity.
Qed.
