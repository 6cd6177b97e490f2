/** A saved state that this emulator can't take up, or a state that is too large to be saved; `message` says where and why. */
export class InvalidState extends RangeError {
  /** What the error is, as of a `ServiceError`. */
  readonly _tag = 'InvalidState';
  /** The name of the class. */
  override readonly name = 'InvalidState';
}
