/** Whom the key belongs to. */
export interface User {
  readonly id?: string;
  readonly status: string;
}
