import { BrowserRouter } from 'react-router';
import { Toaster } from '../ui/toasts/toaster.tsx';
import { AppRoutes } from './routes.tsx';
import { ScreenBoundary } from './screen-boundary.tsx';
import { SessionProvider } from './session-provider.tsx';

/** Providers and elements above the screens. */
export function App() {
  return (
    <ScreenBoundary>
      <SessionProvider>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
        <Toaster />
      </SessionProvider>
    </ScreenBoundary>
  );
}
