(* claim: gradient_features-lemma-b-49-2
   digest: 4f975c3ffb4b8ca1

   Thesis, Lemma B.49 (2), (B.423): when the bits of A are uniform,
     Pr[|sum_{l in A} w_l phi_l| >= t] <= exp(-t^2 / Theta(r k sigma_w^2)).
   There A has r k bits, r and k odd (Assumption 3.19), and w is a neuron drawn from a Gaussian
   with standard deviation sigma_w that is "sure".

   Read for n = r k weights w_l of a set of "sure" neurons, of which we ask only that it has a
   member whose signed sums never vanish, as almost every draw from a Gaussian; and with the
   constant C of Theta free. The negation then says: for all n, sigma and sets of sure neurons,
   and for every C, the bound fails. For such a neuron let t be the least of the 2^n values of
   |sum +- w_l|: then the probability is 1, and the bound is below 1. A factor 2 mends it, as the
   claim's correction says. *)
From Coq Require Import Reals List Lra Lia.
Import ListNotations.
Open Scope R_scope.

(* All n-tuples of signs; each has probability 2^-n. *)
Fixpoint all_signs (n : nat) : list (list R) :=
  match n with
  | O => [[]]
  | S m => map (cons 1) (all_signs m) ++ map (cons (-1)) (all_signs m)
  end.

Fixpoint dot (w phi : list R) : R :=
  match w, phi with
  | x :: w', s :: phi' => x * s + dot w' phi'
  | _, _ => 0
  end.

Definition count (P : list R -> bool) (n : nat) : nat := length (filter P (all_signs n)).

(* Pr[|sum_l w_l phi_l| >= t] *)
Definition probability (w : list R) (t : R) : R :=
  INR (count (fun phi => if Rle_dec t (Rabs (dot w phi)) then true else false) (length w))
  / 2 ^ length w.

Definition never_balanced (w : list R) : Prop :=
  forall phi, In phi (all_signs (length w)) -> dot w phi <> 0.

(* There is a case in which the lemma holds with some constant. *)
Definition printed : Prop :=
  exists (n : nat) (sigma : R) (sure : list R -> Prop),
    0 < sigma /\
    (forall w, sure w -> length w = n) /\
    (exists w, sure w /\ never_balanced w) /\
    exists C : R, 0 < C /\
      forall (w : list R) (t : R), sure w -> 0 < t ->
        probability w t <= exp (- t ^ 2 / (C * (INR n * sigma ^ 2))).

Lemma length_all_signs n : length (all_signs n) = (2 ^ n)%nat.
Proof. induction n as [|n IH]; [reflexivity|]. simpl. rewrite app_length, !map_length, IH. lia. Qed.

(* What holds for all signs has probability 1. *)
Lemma certain w t :
  (forall phi, In phi (all_signs (length w)) -> t <= Rabs (dot w phi)) -> probability w t = 1.
Proof.
  intros H. unfold probability, count.
  assert (E : filter (fun phi => if Rle_dec t (Rabs (dot w phi)) then true else false)
                (all_signs (length w)) = all_signs (length w)).
  { induction (all_signs (length w)) as [|phi rest IH]; [reflexivity|]. simpl.
    destruct (Rle_dec t (Rabs (dot w phi))) as [|N]; [|exfalso; apply N, H; left; reflexivity].
    f_equal. apply IH. intros; apply H; right; assumption. }
  rewrite E, length_all_signs, pow_INR. replace (INR 2) with 2 by (simpl; lra).
  field. apply pow_nonzero. lra.
Qed.

(* The least size of finitely many numbers that are not 0. *)
Lemma least (w : list R) (l : list (list R)) :
  (forall phi, In phi l -> dot w phi <> 0) ->
  exists t, 0 < t /\ forall phi, In phi l -> t <= Rabs (dot w phi).
Proof.
  induction l as [|phi l IH]; intros H.
  - exists 1. split; [lra|]. intros phi [].
  - destruct IH as [t [Ht Hl]]; [intros q Hq; apply H; right; assumption|].
    exists (Rmin t (Rabs (dot w phi))). split.
    + apply Rmin_glb_lt; [assumption|]. apply Rabs_pos_lt, H. left. reflexivity.
    + intros q [<-|Hq]; [apply Rmin_r|]. eapply Rle_trans; [apply Rmin_l|auto].
Qed.

Theorem refuted : ~ printed.
Proof.
  intros [n [sigma [sure [Hs [Hlen [[w [Hw Hb]] [C [HC B]]]]]]]].
  destruct (least w _ Hb) as [t [Ht Hl]].
  specialize (B w t Hw Ht). rewrite certain in B by assumption.
  rewrite <- (Hlen w Hw) in B.
  assert (Hn : 0 < INR (length w)).
  { apply lt_0_INR. destruct w; [|simpl; lia].
    exfalso. apply (Hb []); [left; reflexivity|reflexivity]. }
  assert (P : 0 < t ^ 2 / (C * (INR (length w) * sigma ^ 2))).
  { apply Rdiv_lt_0_compat; [nra|]. apply Rmult_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; nra. }
  replace (- t ^ 2 / (C * (INR (length w) * sigma ^ 2)))
    with (- (t ^ 2 / (C * (INR (length w) * sigma ^ 2)))) in B by (unfold Rdiv; ring).
  pose proof (exp_increasing (- (t ^ 2 / (C * (INR (length w) * sigma ^ 2)))) 0 ltac:(lra)) as E.
  rewrite exp_0 in E. lra.
Qed.
