import type { JobState } from '../../../core/state/job-state.js';
import type { McpService } from '../service/mcp-service.js';
import type { Confirmed, RunGuard } from '../run-guard.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** A part of a result, as the protocol has it. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly description?: string;
    };

/** What a tool gives: content, or a question that a person has to answer before the same call goes on. */
export type ToolResult =
  | { readonly _tag: 'Content'; readonly content: readonly Content[]; readonly isError?: boolean }
  | { readonly _tag: 'Ask'; readonly question: string };

/** One call of a tool. */
export interface ToolCall {
  /** Aborts when the host cancels the request, or goes away. */
  readonly signal: AbortSignal;
  /** Tells the host how far it is, where it wants to know: from 0 to 1. */
  readonly progress: (fraction: number, message: string) => void;
  readonly confirmed: Confirmed;
}

/** What the tools work with. */
export interface ToolContext {
  readonly service: McpService;
  readonly guard: RunGuard;
  /** The end of a job as content: its texts, pictures and links. */
  readonly show: (state: JobState) => Promise<readonly Content[]>;
  readonly maxWaitSeconds: number;
  readonly onCancelled: 'cancel' | 'detach';
}

/** A tool, as hosts list it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of its arguments, by which the SDK refuses others. */
  readonly inputSchema: ObjectSchema;
  /** Whether it only looks. */
  readonly readOnly: boolean;
  readonly call: (args: Readonly<Record<string, unknown>>, call: ToolCall) => Promise<ToolResult>;
}

/** The JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** The schema of arguments; those that are named in `required` may not be left out. */
export const argumentsOf = (
  properties: ObjectSchema['properties'],
  required: readonly string[] = [],
): ObjectSchema => ({ type: 'object', properties, required, additionalProperties: false });

/** A result of one text. */
export const text = (value: string): ToolResult => ({
  _tag: 'Content',
  content: [{ type: 'text', text: value }],
});

/** A result of one value as JSON. */
export const json = (value: unknown): ToolResult => text(writeExactJson(value, 1));
