import type { ReactElement } from 'react';
import { Connection } from './connection.js';
import type { Session } from '../state/session.js';
import { texts } from '../texts.js';
import { isUnderWay } from '../state/jobs.js';
import { ThemeButton } from './theme-button.js';
import { useRoute } from './use-route.js';
import { useStudio, useValue } from './use-studio.js';

/** The name of the service, where the gateway lets the page say it. */
const service = document.querySelector<HTMLMetaElement>('meta[name=promptwire-service]')?.content;

/** What stands above all views. */
export const Header = ({ session }: { readonly session: Session }): ReactElement => {
  const { view } = useRoute();
  const { jobs } = useStudio();
  const token = useValue(session.token);
  const running = [...useValue(jobs.known).values()].filter(isUnderWay).length;
  return (
    <header className="header">
      <h1 className="brand">
        <a href="#/create">{texts.name}</a>
      </h1>
      <nav aria-label={texts.views}>
        <a href="#/create" aria-current={view === 'create' ? 'page' : undefined}>
          {texts.create}
          {running > 0 && <span className="badge">{running}</span>}
        </a>
        <a href="#/gallery" aria-current={view === 'gallery' ? 'page' : undefined}>
          {texts.gallery.title}
        </a>
      </nav>
      <div className="header-end">
        {service !== undefined && (
          <span className="service" title={texts.runsOn(service)}>
            {texts.runsOn(service)}
          </span>
        )}
        <Connection />
        <ThemeButton />
        {token !== undefined && (
          <button type="button" className="quiet" onClick={() => session.signOut()}>
            {texts.signIn.out}
          </button>
        )}
      </div>
    </header>
  );
};
