/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // A path with a trailing slash is a different path. Like the listener, Next.js must not redirect it to the path without the slash.
  skipTrailingSlashRedirect: true,
  // Types are checked by "npm test", against the whole project.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    '@node-rs/argon2',
    '@prisma/adapter-pg',
    '@prisma/client',
    '@resvg/resvg-js',
    'pg',
    'pino',
    'pino-pretty',
    'undici',
  ],
  // `bodySizeLimit` limits the size of a form before the form is parsed. Files are uploaded to other routes, not with these forms.
  // With `preloadEntriesOnStart`, even a process that serves only the API would load all pages of the dashboard, which takes 150 MB.
  experimental: { serverActions: { bodySizeLimit: '100kb' }, preloadEntriesOnStart: false },
  // No page uses the image optimizer, and it would fetch our own addresses for anybody.
  images: { unoptimized: true },
};
