import type { ReactElement } from 'react';
import { Bring } from './bring.js';
import { shippedWorkflows, type LibraryEntry } from '../state/library.js';
import { texts } from '../texts.js';
import { useStudio } from './use-studio.js';

/** The workflows to begin with, and the place to bring another one. */
export const Library = (): ReactElement => (
  <section aria-labelledby="library">
    <h2 id="library">{texts.library.title}</h2>
    <p className="lead">{texts.library.lead}</p>
    <Bring />
    <ul className="library">
      {shippedWorkflows.map((entry) => (
        <Entry key={entry.name} entry={entry} />
      ))}
    </ul>
  </section>
);

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
        <span className="entry-facts">{texts.library.facts(Object.keys(workflow).length, shown.length)}</span>
      </button>
    </li>
  );
};
