import { useState, type ReactElement } from 'react';
import { Bring } from './bring.js';
import { failureOf } from '../state/failure.js';
import { type LibraryEntry, shippedWorkflows } from '../state/library.js';
import type { SavedTemplate } from '../state/saved-templates.js';
import { texts } from '../texts.js';
import { useStudio, useValue } from './use-studio.js';

/** The workflows to begin with, and the place to bring another one. */
export const Library = (): ReactElement => {
  const { templates } = useStudio();
  const saved = useValue(templates.state);
  return (
    <section aria-labelledby="picker">
      <h2 id="picker">{texts.picker.title}</h2>
      <p className="lead">{texts.picker.lead}</p>
      <Bring />
      {saved.length > 0 && (
        <ul className="picker" aria-label={texts.picker.saved}>
          {saved.map((template) => (
            <Saved key={template.name} template={template} />
          ))}
        </ul>
      )}
      <ul className="picker" aria-label={texts.picker.shipped}>
        {shippedWorkflows.map((entry) => (
          <Entry key={entry.name} entry={entry} />
        ))}
      </ul>
    </section>
  );
};

const Entry = ({ entry }: { readonly entry: LibraryEntry }): ReactElement => {
  const { bench } = useStudio();
  const { title, description, workflow, shown } = entry;
  return (
    <li>
      <button
        type="button"
        className="card entry"
        onClick={() => bench.act({ type: 'bring', brought: { title, description, workflow, shown } })}
      >
        <span className="entry-title">{title}</span>
        <span className="entry-text">{description}</span>
        <span className="entry-facts">{texts.picker.facts(Object.keys(workflow).length, shown.length)}</span>
      </button>
    </li>
  );
};

const Saved = ({ template }: { readonly template: SavedTemplate }): ReactElement => {
  const { bench, templates } = useStudio();
  const [problem, setProblem] = useState<string>();
  const { name, title, inputs } = template;
  const tell = (error: unknown): void => setProblem(failureOf(error).message);
  return (
    <li className="saved">
      <button
        type="button"
        className="card entry"
        onClick={() =>
          void templates.read(name).then((brought) => bench.act({ type: 'bring', brought }), tell)
        }
      >
        <span className="entry-title">{title}</span>
        <span className="entry-text">{texts.picker.own}</span>
        <span className="entry-facts">{texts.picker.inputs(inputs)}</span>
      </button>
      <button
        type="button"
        className="quiet saved-remove"
        aria-label={texts.picker.remove(title)}
        onClick={() => void templates.remove(name).catch(tell)}
      >
        <span aria-hidden="true">✕</span>
      </button>
      {problem !== undefined && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
    </li>
  );
};
