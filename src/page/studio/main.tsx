import { App } from './view/app.js';
import { createRoot } from 'react-dom/client';
import { openSession } from './state/session.js';
import { pageWorld } from './state/world.js';

const world = pageWorld();
const place = document.getElementById('studio');
if (place !== null) createRoot(place).render(<App world={world} session={openSession(world)} />);
