import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { allowOwnScripts } from './app/frame/allow-own-scripts.ts';
import { tolerateForeignChanges } from './app/frame/foreign-changes.ts';
import { speakAsLoaded } from './lib/language.ts';
import './main.css';
import { watchNavigation } from './candidate/navigation.ts';
import { logProblem } from './lib/problem-log.ts';
import { fetchAgain } from './proctoring/fetch-again.ts';
import { styleNonce } from './ui/fields/style-nonce.ts';
import { onRegionFailed } from './ui/region.tsx';
import { applySelectedTheme } from './ui/theme.ts';

// react-remove-scroll (under the dialogs) injects a style element; its get-nonce reads this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

// Candidates follow the system theme; only the admin pages have a switch.
if (window.location.pathname.startsWith('/admin')) applySelectedTheme();

allowOwnScripts();
tolerateForeignChanges();
watchNavigation();
onRegionFailed((name, error, stack) => logProblem(`${name} could not be shown ${stack}`, error));

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
const late = () => {
  root.textContent = 'Invigil could not be loaded completely. This page tries again by itself.';
};
void fetchAgain(
  () => speakAsLoaded(),
  () => true,
  late,
).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
