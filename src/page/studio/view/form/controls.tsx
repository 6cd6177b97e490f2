import { lazy, Suspense, useState, type ReactElement } from 'react';
import { Problems } from './problems.js';
import { Bring } from '../bring.js';
import { Field } from './field.js';
import { keyOf } from '../../state/shown-inputs.js';
import { RunBar } from './run-bar.js';
import { texts } from '../../texts.js';
import { useStudio, useValue } from '../use-studio.js';

const Author = lazy(() => import('./author.js'));

/** What to run: the workflow, its inputs, and the button. */
export const Controls = (): ReactElement | null => {
  const { bench, form } = useStudio();
  const current = useValue(bench.state);
  const fields = useValue(form)?.shown;
  const [isBringing, setBringing] = useState(false);
  const [isAuthor, setAuthor] = useState(false);
  if (current === undefined) return null;
  return (
    <form
      className="controls card"
      aria-label={texts.form.title}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="section-head">
        <h2>{current.title}</h2>
        <button
          type="button"
          className="quiet"
          aria-expanded={isBringing}
          onClick={() => setBringing(!isBringing)}
        >
          {texts.form.another}
        </button>
      </div>
      {isBringing && (
        <div className="another">
          <Bring />
          <button type="button" onClick={() => bench.act({ type: 'leave' })}>
            {texts.form.all}
          </button>
        </div>
      )}
      {current.description !== undefined && <p className="hint">{current.description}</p>}
      <Problems />
      <div className="fields">
        {fields?.map((field) => (
          <Field key={keyOf(field)} field={field} />
        ))}
      </div>
      {isAuthor ? (
        <Suspense fallback={null}>
          <Author onClose={() => setAuthor(false)} />
        </Suspense>
      ) : (
        <button type="button" className="quiet author-open" onClick={() => setAuthor(true)}>
          {texts.author.open}
        </button>
      )}
      <RunBar />
    </form>
  );
};
