import type { ServiceError } from '../node.js';

/** How the command takes the options of the library that its errors name. */
export const commandOptions: Readonly<Record<string, string>> = {
  baseUrl: '--base-url or PROMPTWIRE_BASE_URL',
  wsUrl: 'PROMPTWIRE_WS_URL',
  apiKey: 'PROMPTWIRE_API_KEY or --key-file',
  dialect: '--dialect or PROMPTWIRE_DIALECT',
  ephemeral: '--ephemeral',
  headers: '--header',
  allowClearText: '--allow-clear-text or PROMPTWIRE_ALLOW_CLEAR_TEXT=1',
  maxAnswerBytes: '--max-answer-bytes or PROMPTWIRE_MAX_ANSWER_BYTES',
  maxMessageBytes: '--max-message-bytes or PROMPTWIRE_MAX_MESSAGE_BYTES',
  keptFrames: 'PROMPTWIRE_EARLY_BYTES',
  maxMetadataBytes: '--max-metadata-bytes',
  maxParts: '--max-parts',
  maxWorkflowBytes: '--max-workflow-bytes',
  maxPreviewBytes: '--max-preview-bytes',
  maxLogBytes: '--max-log-bytes',
  bodyBytes: '--max-body-bytes',
  bodyValues: '--max-body-values',
  uploadBytes: '--max-upload-bytes',
  heldBytes: '--max-held-bytes',
  keptBytes: '--max-kept-bytes',
  maxJobs: '--total-jobs',
  maxSize: '--total-kept-bytes',
  trustProxies: '--trust-proxy',
  watchTokenSecret: '--watch-secret-file or PROMPTWIRE_WATCH_SECRET',
  allowOrigins: '--allow-origin',
  allowHosts: '--webhook-host',
  timeoutMs: '--timeout',
  previewMethod: '--preview-method',
  agent: 'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY',
};

/** Likewise the options whose names are words of the language: an error is about one only where its member `option` says so. */
export const wordOptions: Readonly<Record<string, string>> = {
  ahead: '--servers',
  auth: '--auth',
  connection: '--redis or PROMPTWIRE_REDIS_URL',
  dir: '--out',
  folder: '--data',
  front: '--front',
  labels: '--label',
  name: '--name',
  over: '--server or --servers of a worker',
  pool: '--server or --servers',
  record: '--record',
  servers: '--server or --servers',
  slots: '--servers',
  speed: '--speed',
  targets: '--target',
  tier: '--tier',
  tokens: '--tokens-file or PROMPTWIRE_GATEWAY_TOKENS',
  validate: '--no-validate',
  workspace: '--workspace',
};

/** The members of an error that {@link commandHint} reads. */
interface Hinted extends Pick<ServiceError, 'message' | 'hint'> {
  readonly option?: string | undefined;
}

/** The hint of an error, with the command's own names of the options that it is about, or that message and hint name. */
export const commandHint = ({ message, hint, option = '' }: Hinted): string => {
  const own = { ...commandOptions, ...(option in wordOptions && { [option]: wordOptions[option] }) };
  const named = [...optionsIn(`${message} ${hint}`), ...(option in wordOptions ? [option] : [])].filter(
    (name) => !isNamedIn(hint, own[name] ?? ''),
  );
  if (named.length === 0) return hint;
  return `${hint} Of the command: ${named.map((name) => `${name} is ${own[name]}`).join('; ')}.`;
};

/** A warning of the library, with the command's own names of the options that it names. */
export const commandWarning = (message: string): string => `${message}${commandHint({ message, hint: '' })}`;

/** Whether a hint names one of the ways in which the command takes an option. */
const isNamedIn = (hint: string, ways: string): boolean =>
  (ways.match(/--[a-z-]+|\b[A-Z_]{2,}\b/gu) ?? []).some((way) =>
    new RegExp(`(?<![\\w-])${way}(?![\\w-])`, 'u').test(hint),
  );

const optionsIn = (text: string): readonly string[] =>
  Object.keys(commandOptions).filter((name) => new RegExp(`\\b${name}\\b`, 'u').test(text));
