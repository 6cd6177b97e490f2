import type { InputProblem } from '../../core/protocol/problem.js';
import type { Workflow, WorkflowNode } from '../../core/protocol/workflow.js';

/** A workflow to begin with: its nodes have titles, and its inputs names. */
export interface Example {
  /** What it does, in a sentence. */
  readonly description: string;
  /** In API format. */
  readonly workflow: Workflow;
  /** The inputs of its template, each by a title and an input of the workflow. */
  readonly inputs: Readonly<Record<string, ExampleInput>>;
}

/** An input of an example's template. */
export interface ExampleInput {
  /** The title of a node. */
  readonly title: string;
  /** The name of an input of it. */
  readonly input: string;
  /** Whether the value of the workflow may stay. */
  readonly optional?: true;
}

/** A template of an example, as a gateway takes it. */
export interface ExampleTemplate {
  /** The workflow with these values; Left with every problem where one is wrong, missing or too many. */
  (inputs: Readonly<Record<string, unknown>>): ExampleResult;
  /** The JSON Schema of the inputs. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

/** What a template makes of inputs. */
export type ExampleResult =
  | {
      readonly _tag: 'Right';
      /** The workflow with the values. */
      readonly right: Workflow;
    }
  | {
      readonly _tag: 'Left';
      /** A `ServiceError` `InvalidInputs`. */
      readonly left: Error & {
        /** All that is wrong with the inputs. */
        readonly problems: readonly InputProblem[];
      };
    };

/** A node with a title. */
export const node = (class_type: string, title: string, inputs: WorkflowNode['inputs']): WorkflowNode => ({
  class_type,
  inputs,
  _meta: { title },
});

/** An input that has to be given. */
export const required = (title: string, input: string): ExampleInput => ({ title, input });

/** An input that may keep the workflow's own value. */
export const optional = (title: string, input: string): ExampleInput => ({ title, input, optional: true });

/** What samplers of these examples have in common. */
export const sampling = { cfg: 7, sampler_name: 'euler', scheduler: 'normal' } as const;

/** The inputs that all examples with a sampler have besides their prompt. */
export const samplerInputs = {
  negative: optional('Negative prompt', 'text'),
  seed: optional('Sampler', 'seed'),
  steps: optional('Sampler', 'steps'),
} as const;

/** The model, and both prompts, which every sampler takes. */
export const promptedModel = (prompt: string): Workflow => ({
  1: node('CheckpointLoaderSimple', 'Checkpoint', { ckpt_name: 'scenery-v1.safetensors' }),
  2: node('CLIPTextEncode', 'Prompt', { text: prompt, clip: ['1', 1] }),
  3: node('CLIPTextEncode', 'Negative prompt', { text: 'blurry', clip: ['1', 1] }),
});

/** The sampler of {@link promptedModel}, on a latent picture. */
export const sampler = (latent: readonly [string, number], more: WorkflowNode['inputs'] = {}): WorkflowNode =>
  node('KSampler', 'Sampler', {
    ...{ seed: 42, steps: 20, ...sampling, denoise: 1, ...more },
    ...{ model: ['1', 0], positive: ['2', 0], negative: ['3', 0], latent_image: latent },
  });
