(* claim: feature_emergence-gaussian-labels
   digest: a714e4d8a72df1d4

   Appendix E of the paper: "the labeling function is roughly equivalent to a network
   y = sum_i a_i ReLU(<c_i, x>), where c_i's are the Gaussian centers", a_i proportional to 1 or -1
   as the component has the label 1 or -1.

   "Roughly" is read as: for some factor of proportion, of either sign, the network has the sign of
   the label at the centre of every component, for the k of the paper's third experiment, 5. There
   the sum is 0 at every centre. For k = 4, its first two experiments, it is -4 times the label, and
   a negative factor will do, as a second theorem says. *)
From Coq Require Import ZArith List Lia.
From Proofs.common Require Import cube.
Import ListNotations.
Open Scope Z_scope.

Definition printed : Prop :=
  exists factor : Z, forall x, In x (centres 5) -> 0 < label x * (factor * network 5 0 x).

(* instance: gaussian_labels.json *)
Definition k : Z := 5%Z.
Definition centre : list Z := [1%Z; 1%Z; 1%Z; 1%Z; 1%Z].
(* end of instance *)

Theorem refuted : ~ printed.
Proof.
  intros [factor H].
  assert (A : In centre (centres (Z.to_nat k))) by (vm_compute; tauto).
  specialize (H centre A).
  replace (network 5 0 centre) with 0 in H by (vm_compute; reflexivity). lia.
Qed.

Theorem four_with_a_negative_factor :
  forall x, In x (centres 4) -> 0 < label x * (-1 * network 4 0 x).
Proof.
  assert (A : forallb (fun x => 0 <? label x * (-1 * network 4 0 x)) (centres 4) = true)
    by (vm_compute; reflexivity).
  intros x Hx. rewrite forallb_forall in A. apply Z.ltb_lt. apply A. assumption.
Qed.
