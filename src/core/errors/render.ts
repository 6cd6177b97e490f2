import type { NodeErrors } from '../state/node-errors.js';
import { plainText } from '../redaction/plain-text.js';
import type { ServiceError } from './errors.js';

/**
 * Formats an error for a terminal: the message, one line for each problem of a node, the prompt id and the hint.
 *
 * No line contains terminal escapes, control characters or secrets, even where the service sent them (docs/protocol.md,
 * chapters 3 and 9).
 *
 * @example
 * ```ts
 * import { render, serviceError } from 'promptwire';
 *
 * console.error(render(serviceError('Unauthorized', {})));
 * ```
 */
export const render = (error: ServiceError): string =>
  [
    plainText(error.message),
    ...details(error).map((line) => `  ${plainText(line)}`),
    ...(error.requestId === undefined ? [] : [`Request id: ${plainText(error.requestId)}`]),
    ...(error.promptId === undefined ? [] : [`Prompt id: ${plainText(error.promptId)}`]),
    plainText(error.hint),
  ].join('\n');

const details = (error: ServiceError): readonly string[] => {
  switch (error._tag) {
    case 'BadRequest':
      return problems(error.nodeErrors);
    case 'JobFailed': {
      const { exceptionType, exceptionMessage, nodeId, nodeType, nodeErrors } = error.failure;
      return [`${nodeName(nodeId, nodeType)}${exceptionType}: ${exceptionMessage}`, ...problems(nodeErrors)];
    }
    case 'OutcomeUnknown':
      return error.candidates.map((id) => `may have become: ${id}`);
    case 'UnknownNode':
      return error.knownNodes.length === 0 ? [] : [`known nodes: ${error.knownNodes.join(', ')}`];
    case 'InvalidInputs':
      return error.problems.map(({ message }) => message);
    default:
      return [];
  }
};

const problems = (nodeErrors: NodeErrors): readonly string[] =>
  Object.entries(nodeErrors).flatMap(([nodeId, { classType, errors }]) =>
    errors.map(({ type, message, details, extraInfo }) => {
      const input = extraInfo['input_name'];
      const at = typeof input === 'string' ? `input ${input}: ` : '';
      const what = [message || type, details].filter((part) => part !== '').join(' – ');
      return `${nodeName(nodeId, classType)}${at}${what}`;
    }),
  );

const nodeName = (nodeId = '', classType = ''): string =>
  nodeId === '' ? '' : `node ${nodeId}${classType === '' ? '' : ` (${classType})`}: `;
