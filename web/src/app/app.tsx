import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router';
import { createQueryClient } from '../lib/query-client.ts';
import { Toaster } from '../ui/toaster.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { AppRoutes } from './routes.tsx';
import { ScreenBoundary } from './screen-boundary.tsx';
import { SessionProvider } from './session-provider.tsx';

const queryClient = createQueryClient();

/** Everything that stands above the screens. */
export function App() {
  return (
    <ScreenBoundary>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <TooltipProvider>
            <BrowserRouter>
              <AppRoutes />
            </BrowserRouter>
            <Toaster />
          </TooltipProvider>
        </SessionProvider>
      </QueryClientProvider>
    </ScreenBoundary>
  );
}
