import { event, type ServiceMessage } from '../messages.js';
import { asJsonObject } from '../http/request.js';
import { PythonFloat } from '../python-float.js';

/**
 * A `progress_state` with the numbers as an engine writes them: floats (`0.0` of `1.0`) of a node that reports no steps, integers of one
 * that does. Other messages stay as they are.
 */
export const withNodeFloats = (message: ServiceMessage): ServiceMessage => {
  if (message.kind !== 'event' || message.type !== 'progress_state') return message;
  const nodes = Object.entries(asJsonObject(message.data['nodes']) ?? {}).map(([nodeId, node]) => [
    nodeId,
    floats(asJsonObject(node) ?? {}),
  ]);
  return event(message.type, {
    ...message.data,
    nodes: Object.fromEntries(nodes) as Record<string, unknown>,
  });
};

const floats = (node: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  node['max'] === 1
    ? { ...node, value: new PythonFloat(Number(node['value'])), max: new PythonFloat(1) }
    : node;
