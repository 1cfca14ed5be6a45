(* claim: feature_emergence-gaussian-labels
   digest: a714e4d8a72df1d4

   Appendix E of the paper: "the labeling function is roughly equivalent to a network
   y = sum_i a_i ReLU(<c_i, x>), where c_i's are the Gaussian centers", a_i proportional to 1 or -1
   as the component has the label 1 or -1.

   "Roughly" is read as: at the centre of every component the network has the sign of the label, for
   the numbers k of relevant directions in the paper's experiments, 4 and 5. The instance is k = 4,
   where the sum is -4 at a centre with the label 1. Factors of proportion change no sign. A second
   theorem shows that the network has the sign of the label at no centre, for neither k. *)
From Coq Require Import ZArith List Lia.
From Proofs.common Require Import cube.
Import ListNotations.
Open Scope Z_scope.

Definition printed : Prop :=
  forall (k : nat) (x : list Z),
    k = 4%nat \/ k = 5%nat -> In x (centres k) -> 0 < label x * network k 0 x.

(* instance: gaussian_labels.json *)
Definition k : Z := 4%Z.
Definition centre : list Z := [1%Z; 1%Z; 1%Z; 1%Z].
(* end of instance *)

Theorem refuted : ~ printed.
Proof.
  intros H. specialize (H (Z.to_nat k) centre (or_introl eq_refl)).
  assert (A : In centre (centres (Z.to_nat k))) by (vm_compute; tauto).
  specialize (H A). vm_compute in H. discriminate.
Qed.

Theorem at_no_centre :
  forall (k : nat) (x : list Z),
    k = 4%nat \/ k = 5%nat -> In x (centres k) -> label x * network k 0 x <= 0.
Proof.
  assert (A : forall k, forallb (fun x => label x * network k 0 x <=? 0) (centres k) = true ->
    forall x, In x (centres k) -> label x * network k 0 x <= 0).
  { intros k H x Hx. rewrite forallb_forall in H. apply Z.leb_le. apply H. assumption. }
  intros k x [-> | ->]; apply A; vm_compute; reflexivity.
Qed.
