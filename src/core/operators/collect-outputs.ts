import { reduce, type OperatorFunction } from 'rxjs';
import type { Frame } from '../protocol/frames/frame.js';
import { mergeOutputs } from '../state/merge-outputs.js';
import { noOutputs, type Outputs } from '../state/outputs.js';

/**
 * Collects the outputs of all nodes and emits them once, when the source completes.
 *
 * ```text
 * source           --x1--a--x2--|        x1, x2: executed
 *                  collectOutputs()
 * result           -------------(o|)     o: { 9: …, 12: … }
 * ```
 *
 * The result is the union of all `executed` messages: node id → its outputs, exactly as sent, in an object without a
 * prototype; it is empty if no node had outputs. The operator does not tell jobs apart, so put `forPrompt` and
 * `untilTerminal` before it. It passes an error of the source on without a value; unsubscribing discards the collection.
 * Facts: docs/protocol.md, chapter 8.
 *
 * @example
 * ```ts
 * import { collectOutputs, forPrompt, outputFiles, untilTerminal, type Frame } from 'promptwire';
 * import { map, type Observable } from 'rxjs';
 *
 * const files = (frames: Observable<Frame>, promptId: string) =>
 *   frames.pipe(forPrompt(promptId), untilTerminal(), collectOutputs(), map((outputs) => outputFiles(outputs)));
 * ```
 */
export const collectOutputs = (): OperatorFunction<Frame, Outputs> => (source) =>
  source.pipe(reduce((outputs, frame) => withOutputOf(outputs, frame), noOutputs));

const withOutputOf = (outputs: Outputs, frame: Frame): Outputs => {
  if (frame._tag !== 'Event' || frame.type !== 'executed') return outputs;
  const { node, output } = frame.data;
  // A computed key makes an own member even of `__proto__`.
  return output == null ? outputs : mergeOutputs(outputs, { [node]: output });
};
