/** Filled in next: the ledger of issued blocks. */
export interface Ledger {
  readonly size: number;
}
