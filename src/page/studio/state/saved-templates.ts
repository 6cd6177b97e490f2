import { BehaviorSubject } from 'rxjs';
import type { Brought } from './bench.js';
import {
  deleteTemplate,
  readTemplate,
  type Remote,
  type RemoteTemplate,
  saveTemplate,
  templates,
} from '../../../remote.js';
import type { ShownInput } from './shown-inputs.js';
import { targetsOf } from './template-targets.js';
import { texts } from '../texts.js';
import type { UiWorkflow, Workflow } from '../../../index.js';

/** A template that the caller has saved, as a list shows it. */
export interface SavedTemplate {
  readonly name: string;
  readonly title: string;
  readonly inputs: number;
}

/** The caller's templates, and what changes them. */
export interface SavedTemplates {
  readonly state: BehaviorSubject<readonly SavedTemplate[]>;
  readonly load: () => Promise<void>;
  readonly read: (name: string) => Promise<Brought>;
  readonly save: (template: NewTemplate) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

interface NewTemplate {
  readonly title: string;
  readonly workflow: Workflow;
  readonly shown: readonly ShownInput[];
  readonly ui?: UiWorkflow | undefined;
}

/** Lists, reads, saves and forgets the templates of the caller. */
export const openSavedTemplates = (remote: Pick<Remote, 'ask'>): SavedTemplates => {
  const state = new BehaviorSubject<readonly SavedTemplate[]>([]);
  const load = async (): Promise<void> => {
    const listed = await templates(remote);
    state.next(
      listed
        .filter(({ own }) => own)
        .map(({ name, title = name, inputs = {} }) => ({ name, title, inputs: Object.keys(inputs).length })),
    );
  };
  return {
    state,
    load,
    read: async (name) => broughtBy(await readTemplate(remote, name)),
    save: async ({ title, workflow, shown, ui }) => {
      await saveTemplate(remote, nameOf(title), { title, workflow, inputs: targetsOf(shown), ui });
      await load();
    },
    remove: async (name) => {
      await deleteTemplate(remote, name);
      await load();
    },
  };
};

/** A title in any script is its own name, but for what a name may not have: `a/b` is saved as `a-b`. */
export const nameOf = (title: string): string => {
  const name = Array.from(title.replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, '-').trim())
    .slice(0, 50)
    .join('')
    .trim();
  return /^\.{0,2}$/u.test(name) ? 'template' : name;
};

const broughtBy = ({ name, title = name, workflow, inputs = {}, ui }: RemoteTemplate): Brought => {
  if (workflow === undefined) throw new Error(texts.picker.noWorkflow);
  return {
    title,
    workflow,
    ...(ui !== undefined && { ui: ui as UiWorkflow }),
    shown: Object.entries(inputs).map(([key, { id, input, label = key }]) => ({ nodeId: id, input, label })),
  };
};
