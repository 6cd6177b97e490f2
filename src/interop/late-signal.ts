/** A signal that is made when it is first looked at, since most are never: to make one is dear, and to abort it dearer. */
export class LateSignal {
  private controller: AbortController | undefined;
  private isAborted = false;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isAborted) this.controller.abort();
    return this.controller.signal;
  }

  /** Fires it, also where it is looked at later. */
  abort(): void {
    this.isAborted = true;
    this.controller?.abort();
  }
}
