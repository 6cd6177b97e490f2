import { useEffect, useState, type ReactElement } from 'react';
import { CopyButton } from '../copy-button.js';
import { DeleteButton } from './delete-button.js';
import { Dialog } from '../dialog.js';
import type { Item } from '../../state/gallery.js';
import { Media } from './media.js';
import { texts } from '../../texts.js';
import { useReuse } from '../use-reuse.js';
import { useSource } from './use-source.js';
import { useStudio } from '../use-studio.js';
import { writeExactJson } from '../../../../core/protocol/json/exact-json.js';
import { Zoom } from './zoom.js';

interface LightboxProps {
  readonly item: Item;
  readonly onClose: () => void;
  readonly step: (by: 1 | -1) => void;
  readonly showGrid: (batch: string) => void;
}

/** One result in full, and what can be done with it. */
const Lightbox = ({ item, onClose, step, showGrid }: LightboxProps): ReactElement => {
  const { gateway } = useStudio();
  const source = useSource(item);
  const [broken, setBroken] = useState<string>();
  const reuse = useReuse();
  const { jobId, title, filename, cell, batch, createdAt, kind, prompt } = item;
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'ArrowRight') step(1);
      if (key === 'ArrowLeft') step(-1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [step]);
  return (
    <Dialog title={cell ?? title} onClose={onClose} isWide>
      <div className="lightbox">
        {kind === 'image' && typeof source === 'string' && broken !== item.key ? (
          <Zoom
            key={item.key}
            source={source}
            alt={texts.gallery.pictureOf(title)}
            onError={() => setBroken(item.key)}
          />
        ) : (
          <div className="lightbox-media">
            <Media key={item.key} item={item} />
          </div>
        )}
        <p className="hint">
          {texts.gallery.made(title, filename, createdAt)}
          {prompt !== undefined && ` “${prompt}”`}
        </p>
        <div className="lightbox-tools" role="toolbar" aria-label={texts.gallery.tools}>
          <button type="button" onClick={() => step(-1)}>
            {texts.gallery.previous}
          </button>
          <button type="button" onClick={() => step(1)}>
            {texts.gallery.next}
          </button>
          {typeof source === 'string' && (
            <a className="button" href={source} download={filename}>
              {texts.gallery.download}
            </a>
          )}
          <CopyButton
            label={texts.gallery.copySettings}
            text={async () => {
              const workflow = await gateway.workflowOf(jobId);
              return workflow && writeExactJson(workflow, 2);
            }}
          />
          <button type="button" className="primary" onClick={() => reuse.use(jobId, title)}>
            {texts.gallery.useAgain}
          </button>
          {batch !== undefined && cell !== undefined && (
            <button type="button" onClick={() => showGrid(batch)}>
              {texts.gallery.showGrid}
            </button>
          )}
          <a className="button" href={`#/job/${jobId}`}>
            {texts.gallery.showJob}
          </a>
          <DeleteButton jobIds={[jobId]} onDone={onClose} />
        </div>
        {reuse.problem !== undefined && (
          <p role="alert" className="error">
            {reuse.problem}
          </p>
        )}
      </div>
    </Dialog>
  );
};

export default Lightbox;
