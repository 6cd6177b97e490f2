import { lazy, Suspense, useEffect, useMemo, type ReactElement } from 'react';
import { openStudio } from '../state/studio.js';
import type { Session } from '../state/session.js';
import type { World } from '../state/world.js';
import { Create } from './create.js';
import { Header } from './header.js';
import { StudioContext, useStudio, useValue } from './use-studio.js';
import { TakeFiles } from './take-files.js';
import { texts } from '../texts.js';
import { useRoute } from './use-route.js';

const SignIn = lazy(() => import('./sign-in.js'));
const GalleryView = lazy(() => import('./gallery/gallery-view.js'));
const JobView = lazy(() => import('./job-view.js'));

/** The page: another studio for each caller. */
export const App = ({
  world,
  session,
}: {
  readonly world: World;
  readonly session: Session;
}): ReactElement => {
  const token = useValue(session.token);
  const studio = useMemo(() => openStudio(world, session), [world, session, token]);
  useEffect(() => () => studio.close(), [studio]);
  return (
    <StudioContext.Provider value={studio}>
      <a className="skip" href="#main">
        {texts.skip}
      </a>
      <Header session={session} />
      <main id="main" tabIndex={-1}>
        <Views session={session} />
      </main>
    </StudioContext.Provider>
  );
};

const Views = ({ session }: { readonly session: Session }): ReactElement => {
  const { access } = useStudio();
  const route = useRoute();
  const granted = useValue(access);
  if (granted !== undefined && granted !== 'open' && granted.isRefused)
    return (
      <Suspense fallback={null}>
        <SignIn session={session} />
      </Suspense>
    );
  return (
    <>
      <TakeFiles />
      <Suspense fallback={<p className="waiting">{texts.loading}</p>}>
        {route.view === 'create' && <Create />}
        {route.view === 'gallery' && <GalleryView />}
        {route.view === 'job' && <JobView id={route.id} />}
      </Suspense>
    </>
  );
};
