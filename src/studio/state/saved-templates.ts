import { BehaviorSubject } from 'rxjs';
import type { Brought } from './bench.js';
import type { Remote } from '../../remote.js';
import type { ShownInput } from './shown-inputs.js';
import { type Target, targetsOf } from './template-targets.js';
import type { UiWorkflow, Workflow } from '../../index.js';

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

/** A template as the gateway tells it. */
interface Told {
  readonly name: string;
  readonly own?: boolean;
  readonly title?: string;
  readonly inputs?: Readonly<Record<string, Partial<Target>>>;
  readonly workflow?: Workflow;
  readonly ui?: UiWorkflow;
}

/** Lists, reads, saves and forgets the templates of the caller. */
export const openSavedTemplates = ({ ask }: Pick<Remote, 'ask'>): SavedTemplates => {
  const state = new BehaviorSubject<readonly SavedTemplate[]>([]);
  const load = async (): Promise<void> => {
    const listed = await ask(
      { path: '/templates' },
      (answer) => (answer as { templates?: readonly Told[] }).templates,
    );
    state.next(
      listed
        .filter(({ own }) => own === true)
        .map(({ name, title = name, inputs = {} }) => ({ name, title, inputs: Object.keys(inputs).length })),
    );
  };
  return {
    state,
    load,
    read: (name) => ask({ path: pathOf(name) }, (answer) => broughtBy(answer as Told)),
    save: async ({ title, workflow, shown, ui }) => {
      const json = { title, workflow, inputs: targetsOf(shown), ...(ui !== undefined && { ui }) };
      await ask({ method: 'PUT', path: pathOf(nameOf(title)), json }, () => true);
      await load();
    },
    remove: async (name) => {
      await ask({ method: 'DELETE', path: pathOf(name) }, () => true);
      await load();
    },
  };
};

const pathOf = (name: string): string => `/templates/${name}`;

/** `My portrait (2)` is saved as `my-portrait-2`. */
export const nameOf = (title: string): string => {
  const name = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 60);
  return name === '' ? 'template' : name;
};

const broughtBy = ({ name, title = name, workflow, inputs = {}, ui }: Told): Brought | undefined =>
  workflow && {
    title,
    workflow,
    ...(ui !== undefined && { ui }),
    shown: Object.entries(inputs).flatMap(([key, { id, input, label = key }]) =>
      id === undefined || input === undefined ? [] : [{ nodeId: id, input, label }],
    ),
  };
