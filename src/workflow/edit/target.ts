/** Which node of a workflow is meant: the one that has all that is named. A title or a class has to be that of one node only. */
export type NodeTarget =
  | { readonly id: string; readonly title?: string; readonly class?: string }
  | { readonly id?: string; readonly title: string; readonly class?: string }
  | { readonly id?: string; readonly title?: string; readonly class: string };

/**
 * Which input of a workflow is meant, by the id, the title in the editor or the class of its node.
 *
 * @example
 * ```ts
 * import type { InputTarget } from 'promptwire/workflow';
 *
 * const targets: InputTarget[] = [
 *   { title: 'Positive', input: 'text' },
 *   { class: 'KSampler', input: 'seed' },
 *   { id: '3', input: 'seed' },
 * ];
 * ```
 */
export type InputTarget = NodeTarget & {
  /** The name of the input, as in `inputs`. */
  readonly input: string;
};

/** Why a target is no input of a workflow: a `ServiceError` of one of these tags. */
export type InvalidTarget = Error & {
  /** What to do about it. */
  readonly hint: string;
  /** As of every `ServiceError`. */
  readonly retry: 'never';
  /** The address of the tag's page. */
  readonly docsUrl: string;
} & (
    | {
        /** There is no such node. */
        readonly _tag: 'UnknownNode';
        /** The id, title, class or name that was asked for. */
        readonly nodeId: string;
        /** The ids that the workflow has. */
        readonly knownNodes: readonly string[];
        /** Names that are like it, the nearest first. */
        readonly nearest: readonly string[];
      }
    | {
        /** Several nodes have this title or class. */
        readonly _tag: 'AmbiguousNode';
        /** The title, class or name that was asked for. */
        readonly name: string;
        /** The ids of these nodes. */
        readonly nodeIds: readonly string[];
      }
    | {
        /** The class of the node declares no such input. */
        readonly _tag: 'UnknownInput';
        /** The id of the node. */
        readonly nodeId: string;
        /** The input that was asked for. */
        readonly input: string;
        /** The inputs that the class declares. */
        readonly knownInputs: readonly string[];
        /** Those that are like it, the nearest first. */
        readonly nearest: readonly string[];
      }
  );

/** An input of a workflow, by the id of its node. */
export interface InputPlace {
  /** The id of the node. */
  readonly nodeId: string;
  /** The name of the input. */
  readonly input: string;
}
