import { UsageError } from '../usage-error.js';

/** What stands before and after the first `=` of `NODE.INPUT=VALUE`. */
export interface Assignment {
  readonly nodeId: string;
  readonly input: string;
  readonly value: string;
}

/** Reads `NODE.INPUT=VALUE`: the node id ends at the last point before the `=`, as ids such as `12:7` or `a.b` may hold more. */
export const parseAssignment = (option: string, text: string): Assignment => {
  const equals = text.indexOf('=');
  const target = equals < 0 ? '' : text.slice(0, equals);
  const point = target.lastIndexOf('.');
  if (point < 1 || point === target.length - 1) {
    throw new UsageError(
      `${option} takes NODE.INPUT=VALUE, for example ${option} 6.text=sunrise; this is not: ${text}`,
    );
  }
  return { nodeId: target.slice(0, point), input: target.slice(point + 1), value: text.slice(equals + 1) };
};
