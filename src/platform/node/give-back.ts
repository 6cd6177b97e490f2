/**
 * Takes the memory of pieces that nobody needs any more at once, which leaves them empty.
 *
 * The garbage collector comes for array buffers only once 32 MiB of them wait. What is sent to a port that nobody listens to
 * is gone when the call returns, and sending is the only way to part with a buffer that every Node.js has. Only a piece
 * that is its whole buffer goes: the others share theirs with bytes that may still be read. Never fails; memory that can't
 * be had, as that of a WebAssembly module, is left to the collector.
 */
export const giveBack = (pieces: readonly Uint8Array[]): void => {
  const whole = pieces.flatMap(wholeBuffer);
  if (whole.length === 0) return;
  nobody ??= closedPort();
  try {
    nobody.postMessage(undefined, whole);
  } catch {
    // Then they are collected as everything else is.
  }
};

const wholeBuffer = ({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

/** Made when it is first needed; a closed port keeps no process alive. */
let nobody: MessagePort | undefined;

const closedPort = (): MessagePort => {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
};
