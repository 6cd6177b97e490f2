import { useEffect, useState, type ReactElement } from 'react';
import type { Item } from '../../state/gallery.js';
import { texts } from '../../texts.js';
import { useSource } from './use-source.js';
import { useStudio } from '../use-studio.js';

interface MediaProps {
  readonly item: Item;
  /** The address of a picture that is shown while the result is loading. */
  readonly preview?: string | undefined;
}

/** A result in full: shown, played or read; what the page can't show is a file to download. */
export const Media = ({ item, preview }: MediaProps): ReactElement => {
  const source = useSource(item);
  const { filename, kind } = item;
  const [isBroken, setBroken] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const onError = (): void => setBroken(true);
  if (source === null || isBroken) return <p className="stage-empty">{texts.gallery.isGone(filename)}</p>;
  if (source === undefined)
    return preview === undefined ? (
      <div className="stage-waiting" aria-hidden="true" />
    ) : (
      <img className="media" src={preview} alt={texts.stage.preview} />
    );
  switch (kind) {
    case 'image':
      return (
        <img
          className="media"
          src={source}
          alt={texts.gallery.pictureOf(item.title)}
          style={preview === undefined || isLoaded ? undefined : behind(preview)}
          onLoad={() => setLoaded(true)}
          onError={onError}
        />
      );
    case 'video':
      return (
        <video
          className="media"
          src={source}
          controls
          loop
          muted
          playsInline
          aria-label={filename}
          onError={onError}
        />
      );
    case 'audio':
      return <audio className="media" src={source} controls aria-label={filename} onError={onError} />;
    case 'text':
      return <TextOf item={item} />;
    default:
      return (
        <p className="stage-empty">
          {texts.gallery.onlyDownload(filename)}{' '}
          <a href={source} download={filename}>
            {texts.gallery.download}
          </a>
        </p>
      );
  }
};

/** Shows a picture where another one will be. */
const behind = (address: string) => ({ background: `center / contain no-repeat url("${address}")` });

/** A text, as text: whatever it holds runs nothing. */
const TextOf = ({ item }: { readonly item: Item }): ReactElement => {
  const { outputs } = useStudio();
  const [text, setText] = useState<string>();
  useEffect(() => {
    let isShown = true;
    outputs
      .of(item)
      .then((output) => output?.blob())
      .then((blob) => blob?.slice(0, maxText).text())
      .then(
        (read) => isShown && setText(read ?? ''),
        () => isShown && setText(''),
      );
    return () => {
      isShown = false;
    };
  }, [outputs, item]);
  return (
    <pre className="media text" tabIndex={0}>
      {text}
    </pre>
  );
};

/** A longer text is a file to download. */
const maxText = 200_000;
