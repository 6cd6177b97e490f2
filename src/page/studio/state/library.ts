import { exampleWorkflows } from '../../../workflow/examples/workflows.js';
import type { ShownInput } from './shown-inputs.js';
import type { Workflow } from '../../../index.js';

/** A workflow that a person can begin with. */
export interface LibraryEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly workflow: Workflow;
  /** The inputs that a form shows, in their order. */
  readonly shown: readonly ShownInput[];
}

/** The workflows that are shipped with the studio. */
export const shippedWorkflows: readonly LibraryEntry[] = Object.entries(exampleWorkflows).map(
  ([name, { description, workflow, inputs }]) => ({
    name,
    title: inWords(name),
    description,
    workflow,
    shown: Object.entries(inputs).flatMap(([label, { title, input }]) => {
      const [nodeId] = Object.entries(workflow).find(([, node]) => node._meta?.title === title) ?? [];
      return nodeId === undefined ? [] : [{ nodeId, input, label: inWords(label) }];
    }),
  }),
);

/** `text-to-image` is `Text to image`. */
function inWords(name: string): string {
  const words = name.replaceAll(/[-_]/gu, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
