import { useEffect, useState, type ReactElement } from 'react';
import { CopyButton } from '../copy-button.js';
import { texts } from '../../texts.js';
import type { Workflow } from '../../../../index.js';

/** The program that makes the same workflow. */
export const CodeOf = ({ workflow }: { readonly workflow: Workflow }): ReactElement => {
  const [code, setCode] = useState<string>();
  useEffect(() => {
    let isShown = true;
    import('../../../../cli/codegen/program.js').then(
      ({ programOf }) => isShown && setCode(programOf(workflow).text),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [workflow]);
  return (
    <section aria-labelledby="code">
      <div className="section-head">
        <h3 id="code">{texts.inspect.code}</h3>
        {code !== undefined && <CopyButton text={() => Promise.resolve(code)} label={texts.copy} />}
      </div>
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
    </section>
  );
};
