(* cos_zeta(s) = cos(2 pi zeta s / p), added up over the frequencies (thesis, Appendix C.7). *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums.
Open Scope R_scope.

(* sum_{zeta = 1}^{(p-1)/2} cos_zeta(s) for odd p = 2 h + 1 *)
Definition cosine_sum (h s : nat) : R :=
  sum h (fun z => cos (2 * PI * INR (S z) * INR s / INR (2 * h + 1))).
