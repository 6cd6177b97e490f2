import type { ServiceError } from '../../node.js';

/** How the command takes the options of the library that its errors name. */
export const commandOptions: Readonly<Record<string, string>> = {
  baseUrl: 'PROMPTWIRE_BASE_URL',
  wsUrl: 'PROMPTWIRE_WS_URL',
  apiKey: 'PROMPTWIRE_API_KEY or --key-file',
  dialect: '--dialect or PROMPTWIRE_DIALECT',
  headers: '--header',
  allowClearText: '--allow-clear-text or PROMPTWIRE_ALLOW_CLEAR_TEXT=1',
  maxAnswerBytes: '--max-answer-bytes or PROMPTWIRE_MAX_ANSWER_BYTES',
  maxMessageBytes: '--max-message-bytes or PROMPTWIRE_MAX_MESSAGE_BYTES',
  maxMetadataBytes: '--max-metadata-bytes',
  maxWorkflowBytes: '--max-workflow-bytes',
  timeoutMs: '--timeout',
  agent: 'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY',
};

/** The hint of an error, with the command's own names of the options that message and hint name. */
export const commandHint = ({ message, hint }: Pick<ServiceError, 'message' | 'hint'>): string => {
  const named = optionsIn(`${message} ${hint}`).filter((name) => !hint.includes(commandOptions[name] ?? ''));
  if (named.length === 0) return hint;
  return `${hint} Of the command: ${named.map((name) => `${name} is ${commandOptions[name]}`).join('; ')}.`;
};

const optionsIn = (text: string): readonly string[] =>
  Object.keys(commandOptions).filter((name) => new RegExp(`\\b${name}\\b`, 'u').test(text));
