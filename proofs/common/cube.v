(* The centres of a Gaussian mixture on a cube: all sums of +-M_i with orthonormal M_i, written as
   their signs, so that the inner product of two centres is that of their signs. *)
From Coq Require Import ZArith List Lia.
Import ListNotations.
Open Scope Z_scope.

Fixpoint centres (k : nat) : list (list Z) :=
  match k with
  | O => [[]]
  | S m => map (cons 1) (centres m) ++ map (cons (-1)) (centres m)
  end.

Fixpoint inner (c x : list Z) : Z :=
  match c, x with
  | s :: c', t :: x' => s * t + inner c' x'
  | _, _ => 0
  end.

(* The label of a centre: the product of its signs. *)
Definition label (c : list Z) : Z := fold_right Z.mul 1 c.
Definition relu (z : Z) : Z := Z.max 0 z.

(* sum_i a_i ReLU(<c_i, x> - bias), with a_i the label of c_i *)
Definition network (k : nat) (bias : Z) (x : list Z) : Z :=
  fold_right Z.add 0 (map (fun c => label c * relu (inner c x - bias)) (centres k)).
