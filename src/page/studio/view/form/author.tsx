import { useState, type ReactElement } from 'react';
import { failureOf } from '../../state/failure.js';
import type { FormField } from '../../../../workflow.js';
import { isTurnable, keyOf, type ShownInput } from '../../state/shown-inputs.js';
import { texts } from '../../texts.js';
import { useStudio, useValue } from '../use-studio.js';

/** Chooses which inputs the form shows and what they are called, and saves that for others. */
const Author = ({ onClose }: { readonly onClose: () => void }): ReactElement | null => {
  const { bench, form, templates } = useStudio();
  const current = useValue(bench.state);
  const all = useValue(form)?.all.filter(isTurnable) ?? [];
  const [told, setTold] = useState<{ readonly text: string; readonly isError: boolean }>();
  if (current === undefined) return null;
  const shown = current.shown ?? all.map(({ nodeId, input, label }) => ({ nodeId, input, label }));
  const show = (next: readonly ShownInput[]): void => bench.act({ type: 'show', shown: next });
  const save = (): void => {
    const { title, workflow, ui } = current;
    templates.save({ title, workflow, shown, ui }).then(
      () => setTold({ text: texts.author.saved(title), isError: false }),
      (error: unknown) => setTold({ text: failureOf(error).message, isError: true }),
    );
  };
  return (
    <div className="author">
      <label className="author-title">
        {texts.author.name}
        <input
          type="text"
          value={current.title}
          onChange={({ target }) => bench.act({ type: 'rename', title: target.value })}
        />
      </label>
      <p className="hint">{texts.author.how}</p>
      <ul className="author-inputs">
        {all.map((field) => (
          <AuthorInput key={keyOf(field)} field={field} shown={shown} show={show} />
        ))}
      </ul>
      {told !== undefined && (
        <p role={told.isError ? 'alert' : 'status'} className={told.isError ? 'error' : 'hint'}>
          {told.text}
        </p>
      )}
      <div className="dialog-end">
        <button type="button" onClick={save}>
          {texts.author.save}
        </button>
        <button type="button" className="primary" onClick={onClose}>
          {texts.author.done}
        </button>
      </div>
    </div>
  );
};

interface AuthorInputProps {
  readonly field: FormField;
  readonly shown: readonly ShownInput[];
  readonly show: (shown: readonly ShownInput[]) => void;
}

const AuthorInput = ({ field, shown, show }: AuthorInputProps): ReactElement => {
  const key = keyOf(field);
  const at = shown.findIndex((one) => keyOf(one) === key);
  const { nodeId, input, label, title } = field;
  const name = texts.author.input(title, label);
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={at >= 0}
          onChange={() =>
            show(at >= 0 ? shown.filter((_, index) => index !== at) : [...shown, { nodeId, input, label }])
          }
        />
        {name}
      </label>
      {at >= 0 && (
        <input
          type="text"
          aria-label={texts.author.labelOf(name)}
          value={shown[at]?.label ?? label}
          onChange={({ target }) =>
            show(shown.map((one, index) => (index === at ? { ...one, label: target.value } : one)))
          }
        />
      )}
    </li>
  );
};

export default Author;
