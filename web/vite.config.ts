import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The page runs under `script-src 'self'` and `font-src 'self'`: nothing is inlined, every file has
 * a hash in its name and can be kept for ever.
 */
export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The sizes that matter are brotli bytes per screen; bench/web-size measures those.
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': { target: process.env['INVIGIL_API'] ?? 'http://localhost:3000' } },
  },
});
