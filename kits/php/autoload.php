<?php

declare(strict_types=1);

// Loads the classes without Composer.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Bili\\')) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, 5)) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
