(* claim: icl_scale-covering
   digest: 6fabe3c8aa661afb

   Thesis, Appendix D.3.1, proof of Theorem 5.5.1: "we only need to show that 2 nu_2 - 1 neurons
   are not enough to cover all negative patterns". A neuron covers the pattern
   (z1, {(i, z2), (j, z3)}) if a = z1, sign V_ii = z2 and sign V_jj = z3; a pattern is negative if
   z1 = -1, and its label z2 z3 is then -1.

   Read as: with d = 2^nu features, no 2 nu - 1 negative neurons cover all negative patterns.
   The instance has d = 8 and five neurons with entries 1 and -1; any positive scale would do. *)
From Coq Require Import Reals List ZArith Lra Lia.
Import ListNotations.
Open Scope R_scope.

(* The diagonal of V for one negative neuron. *)
Definition neuron := nat -> R.

Definition covers (V : neuron) (i j : nat) : Prop := 0 < V i /\ V j < 0.

(* A pattern "+ at i, - at j" for every ordered pair of different features. *)
Definition cover_all (d : nat) (negative : list neuron) : Prop :=
  forall i j, (i < d)%nat -> (j < d)%nat -> i <> j ->
  exists V, In V negative /\ covers V i j.

Definition printed : Prop :=
  forall (nu : nat) (negative : list neuron),
    (1 <= nu)%nat -> (length negative <= 2 * nu - 1)%nat -> ~ cover_all (2 ^ nu) negative.

(* instance: covering.json *)
Definition nu : Z := 3%Z.
Definition signs : list (list Z) := [[1%Z; 1%Z; 1%Z; 1%Z; (-1)%Z; (-1)%Z; (-1)%Z; (-1)%Z]; [1%Z; (-1)%Z; (-1)%Z; (-1)%Z; 1%Z; 1%Z; 1%Z; (-1)%Z]; [(-1)%Z; 1%Z; (-1)%Z; (-1)%Z; 1%Z; (-1)%Z; (-1)%Z; 1%Z]; [(-1)%Z; (-1)%Z; 1%Z; (-1)%Z; (-1)%Z; 1%Z; (-1)%Z; 1%Z]; [(-1)%Z; (-1)%Z; (-1)%Z; 1%Z; (-1)%Z; (-1)%Z; 1%Z; (-1)%Z]].
(* end of instance *)

Definition five : list neuron := map (fun row p => IZR (nth p row 0%Z)) signs.

(* Decided by computation for the signs, as a Boolean. *)
Definition covered (i j : nat) : bool :=
  existsb (fun row => (0 <? nth i row 0)%Z && (nth j row 0 <? 0)%Z)%bool signs.

Lemma all_covered :
  forallb (fun i => forallb (fun j => (i =? j)%nat || covered i j)%bool (seq 0 8)) (seq 0 8) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma five_cover : cover_all (2 ^ Z.to_nat nu) five.
Proof.
  intros i j Hi Hj Hij. change (2 ^ Z.to_nat nu)%nat with 8%nat in *.
  pose proof all_covered as H. rewrite forallb_forall in H.
  assert (Ii : In i (seq 0 8)) by (apply in_seq; lia).
  assert (Ij : In j (seq 0 8)) by (apply in_seq; lia).
  specialize (H i Ii). rewrite forallb_forall in H. specialize (H j Ij).
  apply Bool.orb_true_iff in H. destruct H as [H|H]; [apply Nat.eqb_eq in H; contradiction|].
  apply existsb_exists in H. destruct H as [row [Hrow H]].
  apply andb_prop in H. destruct H as [Hp Hm].
  apply Z.ltb_lt in Hp. apply Z.ltb_lt in Hm.
  exists (fun p => IZR (nth p row 0%Z)). split.
  - unfold five. apply in_map_iff. exists row. auto.
  - split; apply IZR_lt; assumption.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H. apply (H (Z.to_nat nu) five); [cbn; lia|cbn; lia|exact five_cover].
Qed.
