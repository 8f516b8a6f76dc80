'use client';

import { ErrorPage } from '@/components/dashboard/auth/error-page';

export default ErrorPage;
