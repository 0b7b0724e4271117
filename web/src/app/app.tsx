import { LucideProvider } from 'lucide-react';
import { Toaster } from '../ui/toaster.tsx';
import { useLanguage } from './language.ts';
import { AppRoutes } from './routes.tsx';
import { ScreenBoundary } from './screen-boundary.tsx';
import { SessionProvider } from './session-provider.tsx';

export function App() {
  useLanguage();
  return (
    // Lucide's own stroke of 2 is too heavy beside the text; its icons are hidden from screen readers.
    <LucideProvider strokeWidth={1.5}>
      <ScreenBoundary>
        <SessionProvider>
          <AppRoutes />
          <Toaster />
        </SessionProvider>
      </ScreenBoundary>
    </LucideProvider>
  );
}
