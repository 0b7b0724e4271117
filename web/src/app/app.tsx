import { LucideProvider } from 'lucide-react';
import { useLanguage } from '../lib/language.ts';
import { Toaster } from '../ui/toaster.tsx';
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
