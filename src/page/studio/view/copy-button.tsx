import { useState, type ReactElement } from 'react';
import { texts } from '../texts.js';

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => Promise<string | undefined>;
}

/** Copies a text, and says so. */
export const CopyButton = ({ label, text }: CopyButtonProps): ReactElement => {
  const [told, setTold] = useState<string>();
  const copy = async (): Promise<void> => {
    const found = await text();
    if (found === undefined) throw new Error('There is nothing to copy.');
    await navigator.clipboard.writeText(found);
  };
  return (
    <>
      <button
        type="button"
        onClick={() =>
          void copy().then(
            () => setTold(texts.copied),
            () => setTold(texts.notCopied),
          )
        }
      >
        {told ?? label}
      </button>
      <span role="status" className="visually-hidden">
        {told}
      </span>
    </>
  );
};
