import { lazy, Suspense, useState, type ReactElement } from 'react';
import type { ControlProps } from './control-props.js';
import { texts } from '../../texts.js';
import { useUpload } from './use-upload.js';
import { valueText } from '../../state/value-text.js';

const MaskPainter = lazy(() => import('./mask-painter.js'));

const accepted = { image: 'image/*', audio: 'audio/*', video: 'video/*', file: '*/*' } as const;

/** A file of the service or a new one: opened, dropped, pasted or taken by the camera; of a picture a mask is painted. */
export const FileField = ({ field, id, set }: ControlProps): ReactElement => {
  const { chosen, told, take } = useUpload(set);
  const [isPainting, setPainting] = useState(false);
  const { upload = 'image', shownLabel, value } = field;
  const takeFirst = (files: FileList | null): boolean => {
    const [file] = files ?? [];
    take(file, file?.name ?? 'file');
    return file !== undefined;
  };
  return (
    <div
      className="file"
      data-takes-files
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        takeFirst(event.dataTransfer.files);
      }}
      onPaste={(event) => {
        if (takeFirst(event.clipboardData.files)) event.preventDefault();
      }}
    >
      {upload === 'image' && chosen !== undefined && (
        <img className="file-picture" src={chosen.url} alt={texts.form.pictureOf(shownLabel)} />
      )}
      <div className="file-buttons">
        <Opener id={id} label={texts.form.openFile} accept={accepted[upload]} onFiles={takeFirst} />
        {upload === 'image' && (
          <Opener label={texts.form.camera} accept="image/*" isCamera onFiles={takeFirst} />
        )}
        {upload === 'image' && chosen !== undefined && (
          <button type="button" onClick={() => setPainting(true)}>
            {texts.mask.paint}
          </button>
        )}
      </div>
      <p className="hint">{value === undefined ? texts.form.noFile : texts.form.file(valueText(value))}</p>
      {told !== undefined && (
        <p role={told.isError ? 'alert' : 'status'} className={told.isError ? 'error' : 'hint'}>
          {told.text}
        </p>
      )}
      {isPainting && chosen !== undefined && (
        <Suspense fallback={null}>
          <MaskPainter
            picture={chosen.file}
            onDone={(masked) => {
              setPainting(false);
              take(masked, `${chosen.name.replace(/\.[^.]+$/u, '')}-masked.png`);
            }}
            onCancel={() => setPainting(false)}
          />
        </Suspense>
      )}
    </div>
  );
};

interface OpenerProps {
  readonly id?: string;
  readonly label: string;
  readonly accept: string;
  readonly isCamera?: boolean;
  readonly onFiles: (files: FileList | null) => void;
}

const Opener = ({ id, label, accept, isCamera = false, onFiles }: OpenerProps): ReactElement => (
  <label className="button">
    {label}
    <input
      id={id}
      type="file"
      className="visually-hidden"
      accept={accept}
      capture={isCamera ? 'environment' : undefined}
      onChange={({ target }) => onFiles(target.files)}
    />
  </label>
);
